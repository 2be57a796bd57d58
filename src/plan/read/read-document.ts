import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import {
  formatPath,
  type Place,
  type Places,
  type PlanPath,
  type PlanProblem,
  type Position,
  planProblem,
} from '../problems/problem.ts';
import { describeYamlError } from './yaml-errors.ts';

/** A plan has far fewer; aliases that multiply reach the first bound, nesting that never ends the second. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 32;

export interface ReadDocument {
  /** Plain data, as JSON would hold it. */
  readonly data: unknown;
  readonly places: Places;
  /** What is wrong with the text itself. */
  readonly problems: readonly PlanProblem[];
  /** False where a problem leaves so much unclear that looking at the data would only mislead. */
  readonly trustworthy: boolean;
}

interface Walk {
  readonly at: (node: unknown) => Position;
  readonly places: Map<string, Place>;
  readonly problems: PlanProblem[];
  readonly anchors: Map<string, unknown>;
  /** Nodes around the current one: an alias to one of them would contain itself. */
  readonly around: Set<unknown>;
  values: number;
  /** The first bound that was passed; nothing else about such a file is worth saying. */
  exceeded?: PlanProblem;
}

/** Reads one YAML document and remembers where everything stands. `text` has no byte order mark. */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  const document = composed(text, lines);
  if (document === null) {
    const facts = { path: '', expected: `at most ${MAX_DEPTH} levels of nesting`, found: 'more' };
    const problems = [planProblem({ line: 1, column: 1 }, facts)];
    return { data: undefined, places: new Map(), problems, trustworthy: false };
  }
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const walk: Walk = {
    at: (node) => position(rangeStart(node)),
    places: new Map(),
    problems: [...document.errors, ...document.warnings].map((error) =>
      planProblem(position(error.pos[0]), { path: '', ...describeYamlError(error) }),
    ),
    anchors: new Map(),
    around: new Set(),
    values: 0,
  };
  const wellFormed = walk.problems.length === 0;
  const data = read(walk, document.contents, []);
  const { places, problems, exceeded } = walk;
  return { data, places, problems: exceeded ? [exceeded] : problems, trustworthy: wellFormed && !exceeded };
}

/** Null when the nesting is deeper than the parser's own stack. */
function composed(text: string, lineCounter: LineCounter): Document.Parsed | null {
  try {
    // Duplicate keys are found in `readMap`: the parser's own search takes quadratic time.
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function rangeStart(node: unknown): number {
  const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : 0;
}

function complain(walk: Walk, node: unknown, path: PlanPath, facts: { expected: string; found: string }): void {
  walk.problems.push(planProblem(walk.at(node), { path: formatPath(path), ...facts }));
}

function exceed(walk: Walk, node: unknown, expected: string): undefined {
  walk.exceeded ??= planProblem(walk.at(node), { path: '', expected, found: 'more' });
}

function read(walk: Walk, node: unknown, path: PlanPath, key?: Position): unknown {
  const leaf = !isMap(node) && !isSeq(node);
  walk.places.set(formatPath(path), { value: walk.at(node), leaf, ...(key ? { key } : {}) });
  walk.values += 1;
  if (walk.exceeded) return undefined;
  if (walk.values > MAX_VALUES) return exceed(walk, node, `at most ${MAX_VALUES} values, aliases counted`);
  if (path.length > MAX_DEPTH) return exceed(walk, node, `at most ${MAX_DEPTH} levels of nesting`);
  return isAlias(node) ? readAlias(walk, node.source, node, path) : readNode(walk, node, path);
}

function readAlias(walk: Walk, name: string, node: unknown, path: PlanPath): unknown {
  const target = walk.anchors.get(name);
  if (target === undefined || walk.around.has(target)) {
    const found = target === undefined ? `*${name}` : `*${name} inside itself`;
    complain(walk, node, path, { expected: 'an alias of something above it', found });
    return undefined;
  }
  return readNode(walk, target, path);
}

function readNode(walk: Walk, node: unknown, path: PlanPath): unknown {
  if (node === null || node === undefined) return null;
  if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) {
    walk.anchors.set(node.anchor, node);
  }
  if (isScalar(node)) return readScalar(walk, node.value, node, path);
  walk.around.add(node);
  try {
    if (isMap(node)) return readMap(walk, node, path);
    if (isSeq(node)) return node.items.map((item, index) => read(walk, item, [...path, index]));
  } finally {
    walk.around.delete(node);
  }
  return undefined;
}

function readScalar(walk: Walk, value: unknown, node: unknown, path: PlanPath): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  complain(walk, node, path, { expected: 'a text, a number, true or false', found: 'something else' });
  return undefined;
}

function readMap(walk: Walk, map: YAMLMap, path: PlanPath): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  const lineOf = new Map<string, number>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) {
      complain(walk, key ?? map, path, { expected: 'a name before the colon', found: 'a list, mapping or alias' });
      continue;
    }
    const name = String(key.value ?? '');
    const at = walk.at(key);
    const first = lineOf.get(name);
    if (first !== undefined) {
      complain(walk, key, [...path, name], {
        expected: 'each key once',
        found: `${name} again, first in line ${first}`,
      });
      continue;
    }
    lineOf.set(name, at.line);
    if (name === '__proto__') {
      complain(walk, key, [...path, name], { expected: 'another name', found: name });
      continue;
    }
    entries.set(name, read(walk, value ?? key, [...path, name], at));
    if (value === null) entries.set(name, null);
  }
  return Object.fromEntries(entries);
}
