import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Attachment,
  type Check,
  CONTRACT_LIMITS,
  type Contract,
  contractProblems,
  type Limits,
  type Principal,
  type Rejection,
  reject,
  type Setup,
  sayProblems,
} from '../../core/index.ts';
import type { Goal, GoalSubmission } from '../../engine/submit/submit-goal.ts';
import { compileContract } from '../../plan/compile/compile-contract.ts';
import type { ContractPatch, NewItem, NewTrial } from './schema.ts';

type Part = 'title' | 'goal' | 'criteria' | 'setup' | 'delivery' | 'instructions';
type Sent = { readonly [K in Part]?: NewItem[K] | undefined };

/** What was sent, with the defaults of a plan file; a part that was not sent means nothing in the answer. */
function compiled(sent: Sent, directory: string): Contract {
  const { title, goal = '', criteria = [], setup, delivery, instructions } = sent;
  const exists = (path: string): boolean => existsSync(join(directory, path));
  return compileContract(
    { title, goal, criteria, setup, delivery, instructions, actions: [] },
    { directory, workspace: 'isolated', exists },
  );
}

/** The same without what was not said: bodies have such parts, the core has none. */
export const saidOnly = <T extends object>(parts: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const unworded = (chars: number): Rejection =>
  reject('invalid_contract', 'So long a goal cannot be its own criterion.', {
    expected: `criteria, or a goal of at most ${CONTRACT_LIMITS.criterionChars} characters`,
    found: `${chars} characters`,
    next: 'Say in criteria how you will know that it is met.',
  });

type Files = readonly Attachment[];
type Criteria = NonNullable<NewItem['criteria']>;

function goalOf(sent: NewItem, criteria: Criteria, limits: Limits, attachments: Files): Goal {
  const { title, origin, background, reuseMemory } = sent;
  const { goal, setup, delivery, instructions, ...made } = compiled({ ...sent, criteria }, sent.directory);
  return {
    ...{ goal, criteria: made.criteria, delivery, reuseMemory, attachments },
    limits: { ...limits, ...saidOnly(sent.limits ?? {}) },
    ...(title === undefined ? {} : { title }),
    ...(setup === undefined ? {} : { setup }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(origin === undefined ? {} : { origin: saidOnly(origin) }),
    ...(background === undefined ? {} : { background }),
  };
}

/**
 * The submission that a body asks for, with the files that it names. `limits` hold where it names none; without criteria
 * the goal itself is c1. Rules of contracts are the core's to check.
 */
export function submissionOf(
  sent: NewItem,
  limits: Limits,
  principal: Principal,
  attachments: Files = [],
): GoalSubmission | Rejection {
  const chars = sent.goal.trim().length;
  const criteria = sent.criteria ?? (chars <= CONTRACT_LIMITS.criterionChars ? [{ text: sent.goal }] : undefined);
  if (!criteria) return unworded(chars);
  const { directory, dirty, inPlace, start } = sent;
  return { directory, dirty, inPlace, start, principal, goal: goalOf(sent, criteria, limits, attachments) };
}

/** The check of a trial as an item would have it, or what is wrong with it. */
export function trialOf(sent: NewTrial): { readonly check: Check; readonly setup: Setup | undefined } | Rejection {
  const { directory, setup, check: command } = sent;
  const contract = compiled(
    { goal: 'Try a check', criteria: [{ text: 'It passes', check: command }], setup },
    directory,
  );
  const wrong = contractProblems(contract);
  const [criterion] = contract.criteria;
  if (wrong.length > 0 || !criterion?.check) {
    const problems = wrong.map((each) => ({ ...each, path: each.path.replace('criteria[0].', '') }));
    return reject('invalid_contract', sayProblems(problems), { next: 'Correct it and try again.' });
  }
  return { check: criterion.check, setup: contract.setup };
}

/** A part that may be taken away: null takes it, undefined leaves what was there. */
const optional = <T>(sent: unknown, said: T | undefined, before: T | undefined): T | undefined => {
  if (sent === undefined) return before;
  return sent === null ? undefined : said;
};

/** The contract with the parts that were sent in place of its own; null takes a part away. */
export function patched(before: Contract, sent: ContractPatch): Contract {
  const { setup: _setup, instructions: _instructions, ...kept } = before;
  const given = { ...sent, setup: sent.setup ?? undefined, instructions: sent.instructions ?? undefined };
  const said = compiled(given, before.directory);
  const setup = optional(sent.setup, said.setup, before.setup);
  const instructions = optional(sent.instructions, said.instructions, before.instructions);
  return {
    ...kept,
    ...(sent.title === undefined ? {} : { title: said.title }),
    ...(sent.goal === undefined ? {} : { goal: said.goal }),
    // Versions are the engine's to count; without them the same request is the same command again.
    criteria: (sent.criteria === undefined ? kept : said).criteria.map((each) => ({ ...each, version: 1 })),
    ...(sent.delivery === undefined ? {} : { delivery: said.delivery }),
    ...(setup === undefined ? {} : { setup }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
