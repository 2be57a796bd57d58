import { type Base, CONTRACT_LIMITS, type Contract, type Criterion, MIN_PROOFS } from '../model/contract.ts';
import type { Limits } from '../model/item.ts';
import { type Problem, unless, within } from './problem.ts';

export { isWholeWithin, type Problem, sayProblems } from './problem.ts';

/** Most that a limit, or an extension of it, may say. */
export const LIMIT_MAX = 1_000_000_000;

const isRelativeInside = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source, 'm') instanceof RegExp;
  } catch {
    return false;
  }
}

const textProblems = (text: string, min: number, max: number, path: string): readonly Problem[] =>
  unless(text.length >= min && text.length <= max, path, `${min}..${max} characters`, `${text.length}`);

function checkProblems(check: NonNullable<Criterion['check']>, path: string): readonly Problem[] {
  const { run, timeoutSec, expectExit, cwd, expectOutput, protect } = check;
  return [
    ...unless(run.trim() !== '', `${path}.run`, 'a command', 'nothing'),
    ...within(timeoutSec, 1, CONTRACT_LIMITS.checkTimeoutMaxSec, `${path}.timeoutSec`),
    ...within(expectExit, 0, 255, `${path}.expectExit`),
    ...unless(cwd === undefined || isRelativeInside(cwd), `${path}.cwd`, 'a path inside the project', `${cwd}`),
    ...unless(isRegExp(expectOutput ?? ''), `${path}.expectOutput`, 'a regular expression', `${expectOutput}`),
    ...protect.flatMap((glob, at) =>
      unless(isRelativeInside(glob), `${path}.protect[${at}]`, 'a glob inside the project', glob),
    ),
  ];
}

function criterionProblems({ id, text, minProof, check }: Criterion, at: number, all: readonly Criterion[]) {
  const path = `criteria[${at}]`;
  const isNew = all.findIndex((criterion) => criterion.id === id) === at;
  const isPossible = check !== undefined || !minProof.startsWith('machine');
  return [
    ...unless(/^[a-z0-9][a-z0-9_-]{0,31}$/.test(id), `${path}.id`, 'lower-case letters, digits, - and _', id),
    ...unless(isNew, `${path}.id`, 'an id of its own', `${id} again`),
    ...textProblems(text.trim(), 1, CONTRACT_LIMITS.criterionChars, `${path}.text`),
    ...unless(MIN_PROOFS.includes(minProof), `${path}.minProof`, MIN_PROOFS.join(', '), minProof),
    ...unless(isPossible, `${path}.minProof`, 'self or independent where there is no check', minProof),
    ...(check ? checkProblems(check, `${path}.check`) : []),
  ];
}

function deliveryProblems({ delivery, workspace }: Contract): readonly Problem[] {
  const path = 'delivery.target';
  if (delivery.target !== 'merge' && delivery.target !== 'pull_request') return [];
  return [
    ...unless(Boolean(delivery.branch), 'delivery.branch', 'the branch that it goes into', 'nothing'),
    ...unless(workspace === 'isolated', path, 'response or workspace_files in place', delivery.target),
  ];
}

/** Everything wrong with a contract, all at once (D6, D23); with its base when the item is created. */
export function contractProblems(contract: Contract, base?: Base): readonly Problem[] {
  const { goal, title, criteria, setup, workspace } = contract;
  const isFounded = workspace === 'in-place' || base?.kind !== 'plain';
  return [
    ...textProblems(goal.trim(), 1, CONTRACT_LIMITS.goalChars, 'goal'),
    ...textProblems(title, 0, CONTRACT_LIMITS.titleChars, 'title'),
    ...within(criteria.length, 1, CONTRACT_LIMITS.criteriaMax, 'criteria'),
    ...(setup ? within(setup.timeoutSec, 1, CONTRACT_LIMITS.checkTimeoutMaxSec, 'setup.timeoutSec') : []),
    ...deliveryProblems(contract),
    ...unless(isFounded, 'workspace', 'a git repository, or in-place', 'isolated'),
    ...criteria.flatMap(criterionProblems),
  ];
}

/** Limits under which nothing could ever run (D26). */
export const limitProblems = (limits: Limits): readonly Problem[] => {
  const { attempts, attemptsExtension, wallClockSec, requests, tokens, runRequests, costMicros } = limits;
  return [
    ...within(requests, 1, LIMIT_MAX, 'limits.requests'),
    ...within(tokens, 1, LIMIT_MAX * 1_000, 'limits.tokens'),
    ...within(runRequests, 1, LIMIT_MAX, 'limits.runRequests'),
    ...(costMicros === null ? [] : within(costMicros, 1, LIMIT_MAX * 1_000, 'limits.costMicros')),
    ...within(attempts, 1, LIMIT_MAX, 'limits.attempts'),
    ...within(attemptsExtension, 0, LIMIT_MAX, 'limits.attemptsExtension'),
    ...(wallClockSec === null ? [] : within(wallClockSec, 1, LIMIT_MAX, 'limits.wallClockSec')),
  ];
};
