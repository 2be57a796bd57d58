import type { Node } from 'oxc-parser';
import { layerOf, lineAt, type Problem, type SourceFile, walk } from './source-file.ts';

/** Globals that read a clock, chance, the machine, or start something that ends later. */
const impureGlobals = new Set([
  ...['Date', 'Temporal', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['process', 'console', 'globalThis', 'global', 'Buffer', 'require', 'crypto', 'fetch'],
  ...['Promise', 'PromiseLike', 'AbortController', 'AbortSignal', 'Intl', 'WeakRef', 'eval', 'Function'],
]);

/** Members that answer differently on another machine or in another call. */
const impureMembers = new Set(['Math.random']);
const localeMembers = new Set(['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase']);

/** What makes `src/core` more than a function of its arguments. */
export function checkCorePurity(file: SourceFile): Problem[] {
  if (layerOf(file.path) !== 'core') return [];
  const problems: Problem[] = [];
  walk(file, (node, ancestors) => {
    const found = impurityOf(node, ancestors);
    if (found === null) return;
    const message = `src/core is pure: no ${found}; take what it answers as an argument`;
    problems.push({ path: file.path, line: lineAt(file, node.start), message });
  });
  return problems;
}

function impurityOf(node: Node, ancestors: readonly Node[]): string | null {
  switch (node.type) {
    case 'Identifier':
      return impureGlobals.has(node.name) && !isLabel(node, ancestors.at(-1)) ? node.name : null;
    case 'MemberExpression':
      return impureMember(node);
    case 'AwaitExpression':
      return 'await';
    case 'ImportExpression':
      return 'import()';
    case 'ForOfStatement':
      return node.await ? 'for await' : null;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.async ? 'async function' : null;
    default:
      return null;
  }
}

function impureMember(node: Node & { type: 'MemberExpression' }): string | null {
  if (node.computed || node.property.type !== 'Identifier') return null;
  const { name } = node.property;
  if (localeMembers.has(name)) return name;
  if (node.object.type !== 'Identifier') return null;
  const path = `${node.object.name}.${name}`;
  return impureMembers.has(path) ? path : null;
}

/** True where an identifier only names a field: `x.process`, `{ process: 1 }`, `type T = { process: string }`. */
function isLabel(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.property === node && !parent.computed;
    case 'Property':
      return parent.key === node && !parent.computed && !parent.shorthand;
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return parent.key === node && !parent.computed;
    default:
      return false;
  }
}
