import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import { lineAt, type SourceFile, walk } from './source-file.ts';

/** One import, re-export or `import()` of a file. `target` is a repository path, or `null` for a package. */
export type ImportEdge = {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  readonly target: string | null;
  readonly typeOnly: boolean;
};

/** Every import of a file whose specifier is a literal, also the type-only ones. */
export function importsOf(file: SourceFile): ImportEdge[] {
  const edges: ImportEdge[] = [];
  walk(file, (node) => {
    const found = readImport(node);
    if (found === null) return;
    const target = found.specifier.startsWith('.')
      ? posix.normalize(posix.join(posix.dirname(file.path), found.specifier))
      : null;
    edges.push({ from: file.path, line: lineAt(file, node.start), target, ...found });
  });
  return edges;
}

/** `@scope/name` or `name` of a package specifier, without its subpath. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function readImport(node: Node): { specifier: string; typeOnly: boolean } | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, typeOnly: node.importKind === 'type' };
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, typeOnly: node.exportKind === 'type' };
    case 'ExportNamedDeclaration':
      return node.source === null ? null : { specifier: node.source.value, typeOnly: node.exportKind === 'type' };
    case 'ImportExpression':
      return literal(node.source, false);
    case 'TSImportType':
      return { specifier: node.source.value, typeOnly: true };
    default:
      return null;
  }
}

function literal(node: Node, typeOnly: boolean): { specifier: string; typeOnly: boolean } | null {
  return node.type === 'Literal' && typeof node.value === 'string' ? { specifier: node.value, typeOnly } : null;
}
