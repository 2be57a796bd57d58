import { type Comment, type Node, type Program, parseSync, visitorKeys } from 'oxc-parser';

/** One parsed file of `src/`. `path` is relative to the repository, with forward slashes. */
export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
};

/** One broken rule. `line` is 1-based. */
export type Problem = { readonly path: string; readonly line: number; readonly message: string };

/** Parses one file; a syntax error throws, because every rule below would be guessing. */
export function parseSource(path: string, text: string): SourceFile {
  const result = parseSync(path, text);
  const first = result.errors[0];
  if (first !== undefined) throw new Error(`${path} does not parse: ${first.message}`);
  return { path, text, program: result.program, comments: result.comments };
}

/** Calls `visit` for every node with the chain of its ancestors, the nearest last. */
export function walk(file: SourceFile, visit: (node: Node, ancestors: readonly Node[]) => void): void {
  const ancestors: Node[] = [];
  const step = (node: Node): void => {
    visit(node, ancestors);
    ancestors.push(node);
    for (const child of childrenOf(node)) step(child);
    ancestors.pop();
  };
  step(file.program);
}

/** 1-based line of a character offset. */
export function lineAt(file: SourceFile, offset: number): number {
  let line = 1;
  for (let at = file.text.indexOf('\n'); at !== -1 && at < offset; at = file.text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The folder below `src/` that a path belongs to; `null` for a file directly in `src/`. */
export function layerOf(path: string): string | null {
  const [, folder, ...rest] = path.split('/');
  return folder === undefined || rest.length === 0 ? null : folder;
}

function childrenOf(node: Node): Node[] {
  const keys = visitorKeys[node.type] ?? [];
  return keys.flatMap((key) => {
    const value: unknown = Reflect.get(node, key);
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
