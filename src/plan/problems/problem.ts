/** Where something stands in a plan file; both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Positions of one entry: its key, where it has one, and its value. */
export interface Place {
  readonly key?: Position;
  readonly value: Position;
  /** Nothing stands inside: a shorthand for what would be a mapping, or a plain value. */
  readonly leaf: boolean;
}

/** Places by path (`criteria[1].check.timeoutSec`); the whole file has the path ''. */
export type Places = ReadonlyMap<string, Place>;

export type PlanPath = readonly (string | number)[];

/** One thing wrong with a plan file: where, what was expected, what was found, and what may help. */
export interface PlanProblem extends Position {
  /** Path of the entry, such as `criteria[1].check.timeoutSec`; '' for the file as a whole. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
  /** All of the above in one sentence, without the position. */
  readonly message: string;
  readonly hint?: string;
}

const START: Position = Object.freeze({ line: 1, column: 1 });

export const formatPath = (path: PlanPath): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

/** The entry at `path`, or the nearest one around it that stands in the file. */
export function locate(places: Places, path: string, side: 'key' | 'value'): Position {
  for (let at = path; ; at = at.replace(/(^|\.)[^.[\]]*$|\[[^\]]*\]$/, '')) {
    const place = places.get(at);
    // Something missing from a mapping is said at its key; a shorthand is itself what is wrong.
    const own = at === path ? side === 'value' : place?.leaf === true;
    if (place) return own ? place.value : (place.key ?? place.value);
    if (at === '') return START;
  }
}

export function planProblem(
  at: Position,
  facts: { path: string; expected: string; found: string; hint?: string | undefined },
): PlanProblem {
  const { path, expected, found, hint } = facts;
  const message = `${path === '' ? '' : `${path}: `}expected ${expected}, found ${found}`;
  return { line: at.line, column: at.column, path, expected, found, message, ...(hint === undefined ? {} : { hint }) };
}

/** What stands there, short enough for one line. */
export function describeFound(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return String(value);
  if (value.trim() === '') return 'an empty text';
  const line = value.trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

const byPosition = (a: PlanProblem, b: PlanProblem): number => a.line - b.line || a.column - b.column;

/** A person repairs a hundred before looking again; a hostile file could cause any number. */
const MAX_PROBLEMS = 100;

/** In reading order, each said once. */
export function orderProblems(problems: readonly PlanProblem[]): readonly PlanProblem[] {
  const seen = new Set<string>();
  const once = problems.filter(({ line, column, message }) => {
    const key = `${line}:${column} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  const ordered = once.sort(byPosition);
  const more = ordered[MAX_PROBLEMS];
  if (more === undefined) return ordered;
  const found = `${ordered.length - MAX_PROBLEMS} more`;
  const rest = planProblem(more, { path: '', expected: `at most ${MAX_PROBLEMS} problems`, found });
  return [...ordered.slice(0, MAX_PROBLEMS), rest];
}
