import type { Node } from 'oxc-parser';
import { layerOf, lineAt, type Problem, type SourceFile, walk } from './source-file.ts';

/** Lines. Raising one of these is a decision for the whole project, not for one change. */
export const sizeLimits = Object.freeze({ functionLines: 60, fileLines: 600, coreCodeLines: 4_000 });

/** Nobody reads or edits it: what it is made from has the limits. */
const isGenerated = ({ comments: [first], text }: SourceFile): boolean =>
  first !== undefined && text.slice(first.start, first.end).includes('@generated');

/** Functions and files over the limit; every line counts, also the blank ones. */
export function checkSize(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const lines = lineAt(file, file.text.trimEnd().length);
  if (lines > sizeLimits.fileLines && !isGenerated(file)) {
    const message = `${lines} lines; the limit for a file is ${sizeLimits.fileLines}`;
    problems.push({ path: file.path, line: 1, message });
  }
  walk(file, (node, ancestors) => {
    if (!isFunction(node)) return;
    const first = lineAt(file, node.start);
    const count = lineAt(file, node.end) - first + 1;
    if (count <= sizeLimits.functionLines) return;
    const name = nameOf(node, ancestors.at(-1));
    const message = `${name} has ${count} lines; the limit for a function is ${sizeLimits.functionLines}`;
    problems.push({ path: file.path, line: first, message });
  });
  return problems;
}

/** Lines of code in `src/core`, without comments and blank lines: the core is read in one sitting. */
export function coreCodeLines(files: readonly SourceFile[]): number {
  return files.filter((file) => layerOf(file.path) === 'core').reduce((sum, file) => sum + codeLines(file), 0);
}

/** Lines that hold something besides white space and comments. */
export function codeLines(file: SourceFile): number {
  let code = '';
  let at = 0;
  for (const { start, end } of file.comments) {
    code += file.text.slice(at, start) + file.text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  code += file.text.slice(at);
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

function isFunction(node: Node): boolean {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  );
}

function nameOf(node: Node, parent: Node | undefined): string {
  if (node.type === 'FunctionDeclaration' && node.id !== null) return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  const keyed = parent?.type === 'MethodDefinition' || parent?.type === 'Property' ? parent.key : undefined;
  return keyed?.type === 'Identifier' ? keyed.name : 'this function';
}
