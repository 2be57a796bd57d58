/** One thing wrong with a submission: where, what was expected, what was found. */
export interface Problem {
  /** Path into the submission, such as `criteria[1].check.timeoutSec`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** A problem unless `ok`; spread into the list of all that is wrong. */
export const unless = (ok: boolean, path: string, expected: string, found: string): readonly Problem[] =>
  ok ? [] : [{ path, expected, found }];

export const isWholeWithin = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** A whole number within bounds. */
export const within = (value: number, min: number, max: number, path: string): readonly Problem[] =>
  unless(isWholeWithin(value, min, max), path, `${min}..${max}`, `${value}`);

export const sayProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`).join('; ');
