import { posix } from 'node:path';
import { lineAt, type Problem, parseSource, type SourceFile, walk } from './source-file.ts';

/** Names of the classes of a style sheet. */
const classesOf = (css: string): ReadonlySet<string> =>
  new Set([...css.matchAll(/\.(?<name>[A-Za-z][\w-]*)/g)].map(({ groups }) => groups?.name ?? ''));

/** The style sheets that a file of the page imports, by the name that each has there. */
function sheetsOf({ path, program }: SourceFile): ReadonlyMap<string, string> {
  const sheets = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.endsWith('.module.css')) continue;
    const [name] = statement.specifiers;
    const sheet = posix.join(posix.dirname(path), statement.source.value);
    if (name?.type === 'ImportDefaultSpecifier') sheets.set(name.local.name, sheet);
  }
  return sheets;
}

/**
 * Classes that a file of the page names and that its style sheet lacks: what is drawn with them is drawn plain, and no
 * compiler says so. `read` answers the text of a file of the repository.
 */
export function checkStyles(path: string, read: (path: string) => string): Problem[] {
  const file = parseSource(path, read(path));
  const sheets = sheetsOf(file);
  const problems: Problem[] = [];
  walk(file, (node) => {
    if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return;
    const sheet = sheets.get(node.object.name);
    if (sheet === undefined || node.property.type !== 'Identifier') return;
    const { name } = node.property;
    if (classesOf(read(sheet)).has(name)) return;
    problems.push({ path, line: lineAt(file, node.start), message: `${sheet} has no class ${name}` });
  });
  return problems;
}
