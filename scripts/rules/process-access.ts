import type { Node } from 'oxc-parser';
import { layerOf, lineAt, type Problem, type SourceFile, walk } from './source-file.ts';

const ownedByCli = new Set(['env', 'exit', 'exitCode', 'abort', 'argv', 'loadEnvFile']);
const subscriptions = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']);
const endOfProcess = /^(SIG[A-Z0-9]+|exit|beforeExit|uncaughtException.*|unhandledRejection)$/;

/** Reading the environment, ending the process and handling signals, anywhere but in `src/cli`. */
export function checkProcessAccess(file: SourceFile): Problem[] {
  if (layerOf(file.path) === 'cli') return [];
  const problems: Problem[] = [];
  walk(file, (node, ancestors) => {
    const found = accessOf(node, ancestors.at(-1));
    if (found === null) return;
    const message = `only src/cli uses ${found}; pass the value or the function in`;
    problems.push({ path: file.path, line: lineAt(file, node.start), message });
  });
  return problems;
}

function accessOf(node: Node, parent: Node | undefined): string | null {
  switch (node.type) {
    case 'MemberExpression':
      return isProcess(node.object) ? memberOf(node, parent) : null;
    case 'VariableDeclarator':
      return node.id.type === 'ObjectPattern' && node.init !== null && isProcess(node.init)
        ? 'process taken apart'
        : null;
    case 'ImportSpecifier':
      return parent?.type === 'ImportDeclaration' && /^(node:)?process$/.test(parent.source.value)
        ? 'named imports of node:process'
        : null;
    default:
      return null;
  }
}

function memberOf(node: Node & { type: 'MemberExpression' }, parent: Node | undefined): string | null {
  const name = propertyName(node);
  if (name === null) return 'process[...]';
  if (ownedByCli.has(name)) return `process.${name}`;
  if (!subscriptions.has(name)) return null;
  const event = parent?.type === 'CallExpression' ? parent.arguments[0] : undefined;
  const literal = event?.type === 'Literal' && typeof event.value === 'string' ? event.value : null;
  return literal === null || endOfProcess.test(literal) ? `process.${name}('${literal ?? '...'}')` : null;
}

function propertyName(node: Node & { type: 'MemberExpression' }): string | null {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : null;
}

function isProcess(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'process';
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'globalThis' &&
    propertyName(node) === 'process'
  );
}
