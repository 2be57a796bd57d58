import { builtinModules } from 'node:module';
import { type ImportEdge, packageOf } from './imports.ts';
import { layerOf, type Problem } from './source-file.ts';

const belowExecutors = ['text', 'core', 'invariants', 'store', 'workspace', 'plan', 'vp', 'model', 'context'];

/**
 * Which folders of `src/` a folder may import besides itself. Imports point downwards only;
 * a new folder has to be entered here, so that its place is decided and not found.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  text: [],
  client: [],
  core: [],
  invariants: ['core'],
  store: ['text', 'core', 'invariants'],
  workspace: ['text', 'core'],
  plan: ['text', 'core'],
  vp: ['text', 'core', 'store'],
  model: ['text', 'core', 'store'],
  context: ['text', 'core', 'store'],
  webhooks: ['text', 'core', 'store', 'context'],
  executors: belowExecutors,
  coordinator: [...belowExecutors, 'executors'],
  engine: [...belowExecutors, 'executors', 'coordinator'],
  api: [...belowExecutors, 'executors', 'coordinator', 'engine', 'webhooks'],
  cli: [...belowExecutors, 'executors', 'coordinator', 'engine', 'webhooks', 'api', 'client'],
};

const builtins = new Set(builtinModules);

/**
 * Imports that break the order of the layers.
 * `declared` are the packages that an installed copy will have; anything else would fail at the user's.
 */
export function checkLayers(edges: readonly ImportEdge[], declared: ReadonlySet<string>): Problem[] {
  return edges.flatMap((edge) => {
    const message = edge.target === null ? packageProblem(edge, declared) : fileProblem(edge.from, edge.target);
    return message === null ? [] : [{ path: edge.from, line: edge.line, message }];
  });
}

/** Folders of `src/` that have no place in the table yet. */
export function checkFolders(paths: readonly string[]): Problem[] {
  const unknown = new Map<string, string>();
  for (const path of paths) {
    const layer = layerOf(path);
    if (layer !== null && layers[layer] === undefined && !unknown.has(layer)) unknown.set(layer, path);
  }
  return [...unknown].map(([layer, path]) => ({
    path,
    line: 1,
    message: `src/${layer} has no layer; enter it in scripts/rules/layers.ts with what it may import`,
  }));
}

function fileProblem(from: string, target: string): string | null {
  if (target === 'package.json') return null;
  if (!target.startsWith('src/')) return `src imports nothing outside src, but this is ${target}`;
  const own = layerOf(from);
  const other = layerOf(target);
  if (own === other) return null;
  if (own === null) return other === 'cli' ? 'nothing imports src/cli' : null;
  if (other === null) return `src/${own} imports ${target}, a root file; name the layer below instead`;
  const allowed = layers[own] ?? [];
  if (allowed.includes(other)) return null;
  const names = allowed.length === 0 ? 'no other folder' : allowed.join(', ');
  return `src/${own} may import ${names}, but this is src/${other}`;
}

function packageProblem(edge: ImportEdge, declared: ReadonlySet<string>): string | null {
  const { specifier, typeOnly } = edge;
  const builtin = specifier.startsWith('node:') || builtins.has(specifier);
  if (layerOf(edge.from) === 'core') {
    return typeOnly && !builtin ? null : `src/core imports nothing but src/core and types, but this is ${specifier}`;
  }
  if (builtin || typeOnly || declared.has(packageOf(specifier))) return null;
  return `${packageOf(specifier)} is not among the dependencies of package.json, so an installed copy lacks it`;
}
