import { type Check, CONTRACT_LIMITS, type Contract, type Criterion, MIN_PROOFS } from '../model/contract.ts';
import type { Limits } from '../model/item.ts';

/** Most that a limit, or an extension of it, may say. */
export const LIMIT_MAX = 1_000_000_000;

/** One thing wrong with a submission: where, what was expected, what was found. */
export interface Problem {
  /** Path into the submission, such as `criteria[1].check.timeoutSec`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

const problem = (path: string, expected: string, found: string): Problem => ({ path, expected, found });

const isRelativeInside = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');

export const isWholeWithin = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source, 'm') instanceof RegExp;
  } catch {
    return false;
  }
}

function checkProblems(check: Check, path: string): readonly Problem[] {
  const found: Problem[] = [];
  if (check.run.trim() === '') found.push(problem(`${path}.run`, 'a command', 'nothing'));
  if (!isWholeWithin(check.timeoutSec, 1, CONTRACT_LIMITS.checkTimeoutMaxSec)) {
    found.push(problem(`${path}.timeoutSec`, `1..${CONTRACT_LIMITS.checkTimeoutMaxSec}`, String(check.timeoutSec)));
  }
  if (!isWholeWithin(check.expectExit, 0, 255)) {
    found.push(problem(`${path}.expectExit`, '0..255', String(check.expectExit)));
  }
  if (check.cwd !== undefined && !isRelativeInside(check.cwd)) {
    found.push(problem(`${path}.cwd`, 'a path inside the project', check.cwd));
  }
  if (check.expectOutput !== undefined && !isRegExp(check.expectOutput)) {
    found.push(problem(`${path}.expectOutput`, 'a regular expression', check.expectOutput));
  }
  check.protect.forEach((glob, index) => {
    if (!isRelativeInside(glob)) found.push(problem(`${path}.protect[${index}]`, 'a glob inside the project', glob));
  });
  return found;
}

function criterionProblems(criterion: Criterion, index: number, seen: ReadonlySet<string>): readonly Problem[] {
  const path = `criteria[${index}]`;
  const found: Problem[] = [];
  if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(criterion.id)) {
    found.push(problem(`${path}.id`, 'lower-case letters, digits, - and _', criterion.id));
  }
  if (seen.has(criterion.id)) found.push(problem(`${path}.id`, 'an id of its own', `${criterion.id} again`));
  const { length } = criterion.text.trim();
  if (length < 1 || length > CONTRACT_LIMITS.criterionChars) {
    found.push(problem(`${path}.text`, `1..${CONTRACT_LIMITS.criterionChars} characters`, `${length}`));
  }
  if (!MIN_PROOFS.includes(criterion.minProof)) {
    found.push(problem(`${path}.minProof`, MIN_PROOFS.join(', '), criterion.minProof));
  }
  if (!criterion.check && criterion.minProof.startsWith('machine')) {
    found.push(problem(`${path}.minProof`, 'self or independent where there is no check', criterion.minProof));
  }
  return criterion.check ? [...found, ...checkProblems(criterion.check, `${path}.check`)] : found;
}

function frameProblems(contract: Contract): readonly Problem[] {
  const found: Problem[] = [];
  const goal = contract.goal.trim().length;
  if (goal < 1 || goal > CONTRACT_LIMITS.goalChars) {
    found.push(problem('goal', `1..${CONTRACT_LIMITS.goalChars} characters`, `${goal}`));
  }
  if (contract.title.length > CONTRACT_LIMITS.titleChars) {
    found.push(problem('title', `at most ${CONTRACT_LIMITS.titleChars} characters`, `${contract.title.length}`));
  }
  if (!isWholeWithin(contract.criteria.length, 1, CONTRACT_LIMITS.criteriaMax)) {
    found.push(problem('criteria', `1..${CONTRACT_LIMITS.criteriaMax}`, `${contract.criteria.length}`));
  }
  if (contract.setup && !isWholeWithin(contract.setup.timeoutSec, 1, CONTRACT_LIMITS.checkTimeoutMaxSec)) {
    found.push(problem('setup.timeoutSec', `1..${CONTRACT_LIMITS.checkTimeoutMaxSec}`, `${contract.setup.timeoutSec}`));
  }
  if (contract.delivery.target === 'merge') {
    if (!contract.delivery.branch) found.push(problem('delivery.branch', 'the branch to merge into', 'nothing'));
    if (contract.workspace === 'in-place') {
      found.push(problem('delivery.target', 'response or workspace_files in place', 'merge'));
    }
  }
  if (contract.delivery.target === 'pull_request') {
    found.push(problem('delivery.target', 'response, workspace_files or merge', 'pull_request'));
  }
  return found;
}

/** Limits under which nothing could ever run (D26). */
export function limitProblems({ attempts, attemptsExtension, wallClockSec }: Limits): readonly Problem[] {
  const bound = (path: string, value: number, min: number) =>
    isWholeWithin(value, min, LIMIT_MAX) ? [] : [problem(path, `${min}..${LIMIT_MAX}`, `${value}`)];
  return [
    ...bound('limits.attempts', attempts, 1),
    ...bound('limits.attemptsExtension', attemptsExtension, 0),
    ...(wallClockSec === null ? [] : bound('limits.wallClockSec', wallClockSec, 1)),
  ];
}

/** Everything wrong with a contract, all at once (D6, D23). */
export function contractProblems(contract: Contract): readonly Problem[] {
  const seen = new Set<string>();
  const criteria = contract.criteria.flatMap((criterion, index) => {
    const found = criterionProblems(criterion, index, seen);
    seen.add(criterion.id);
    return found;
  });
  return [...frameProblems(contract), ...criteria];
}

export const sayProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`).join('; ');
