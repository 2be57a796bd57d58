import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { CompiledScenario } from './compiled-scenario.ts';
import { compileScenario, scenarioSchema } from './scenario-schema.ts';

export type ScenarioResult =
  | { readonly ok: true; readonly scenario: CompiledScenario }
  /** Each in one line: place, what was expected; in a file with line and column in front. */
  | { readonly ok: false; readonly problems: readonly string[] };

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Of the alternatives of a union, the one whose first complaint lies deepest was meant. */
function meant(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const depth = (issues: readonly Issue[]): number =>
    issues[0]?.code === 'unrecognized_keys' ? 1 : (issues[0]?.path.length ?? 0);
  return alternatives.reduce<readonly Issue[]>((best, next) => (depth(next) > depth(best) ? next : best), []);
}

function problemsOf(issue: Issue, around: Path): readonly Problem[] {
  const path = [...around, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown key' }));
  const inner = issue.code === 'invalid_union' ? meant(issue.errors) : [];
  return inner.length > 0 ? inner.flatMap((one) => problemsOf(one, path)) : [{ path, message: issue.message }];
}

const formatPath = (path: Path): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');

type Locate = (path: Path) => string;

function check(data: unknown, locate: Locate): ScenarioResult {
  const parsed = scenarioSchema.safeParse(data);
  if (parsed.success) return { ok: true, scenario: compileScenario(parsed.data) };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, []));
  return {
    ok: false,
    problems: problems.map(
      ({ path, message }) => `${locate(path)}${[formatPath(path), message].filter(Boolean).join(': ')}`,
    ),
  };
}

/** Checks a scenario that was given as an object. */
export const parseScenario = (data: unknown): ScenarioResult => check(data, () => '');

/** Reads the text of a scenario file, YAML or JSON. `fileName` is only for messages. */
export function parseScenarioText(source: string, fileName: string): ScenarioResult {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${fileName}:${line}:${col} `;
  };
  const { errors } = document;
  if (errors.length > 0) return { ok: false, problems: errors.map(({ pos, message }) => `${place(pos[0])}${message}`) };
  return check(document.toJS(), (path) => place(offsetOf(document, path)));
}

/** Where the value at `path` begins, or the nearest one around it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
    const start: unknown = Array.isArray(range) ? range[0] : undefined;
    if (typeof start === 'number') return start;
  }
  return 0;
}
