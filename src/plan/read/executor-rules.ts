import type { z } from 'zod';

type Keys = Readonly<Record<string, unknown>>;

interface Rule {
  /** The key that a complaint is about. */
  readonly at: string;
  /** What is expected there; reads well after the word "expected". */
  readonly expected: string;
  readonly isBroken: (has: (key: string) => boolean) => boolean;
}

const only = (at: string, beside: 'run' | 'vp', why: string): Rule => ({
  at,
  expected: `${beside} beside it: ${why}`,
  isBroken: (has) => has(at) && has(beside === 'run' ? 'vp' : 'run'),
});

/** Who carries an Action out is said once, and what only a command or only a VP can have stands beside it (D4). */
const RULES: readonly Rule[] = [
  { at: 'run', expected: 'a command, or vp with the id of a VP', isBroken: (has) => !has('run') && !has('vp') },
  { at: 'vp', expected: 'run or vp, not both', isBroken: (has) => has('run') && has('vp') },
  { at: 'brief', expected: 'what the VP is to do', isBroken: (has) => has('vp') && !has('brief') },
  only('model', 'vp', 'a command brings its own model'),
  only('identity', 'run', 'a VP is known by its id'),
  only('effects', 'run', 'what a VP does outside is on the ledger call by call'),
  only('silenceSec', 'run', 'the commands of a VP have a watchdog of their own'),
];

/** The same in JSON Schema, for editors; `oneOf` says that there is exactly one. */
export const EXECUTOR_KEYWORDS = Object.freeze({
  oneOf: [{ required: ['run'] }, { required: ['vp'] }],
  dependentRequired: { vp: ['brief'], model: ['vp'], identity: ['run'], effects: ['run'], silenceSec: ['run'] },
});

/** Says what is wrong with who carries the Action out; both complaints about one key would be one too many. */
export function checkExecutor(action: Keys, issues: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const has = (key: string): boolean => action[key] !== undefined;
  const isTwice = has('run') && has('vp');
  for (const { at, expected, isBroken } of RULES) {
    if (!isBroken(has) || (isTwice && at !== 'vp')) continue;
    issues.addIssue({ code: 'custom', path: [at], message: expected, input: action });
  }
}

/** Also where other keys are wrong, so that all is said at once. */
export const isMapping = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
