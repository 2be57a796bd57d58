import type { Contract, ContractPatch } from '../../../../src/client/index.ts';
import type { Criterion, Terms } from './contract-parts.ts';

/** A criterion as it is written: an empty command is no check. */
export interface CriterionForm {
  readonly id: string;
  readonly text: string;
  readonly run: string;
  readonly minProof: Criterion['minProof'];
  /** What else the check says; it stays as it is. */
  readonly check?: NonNullable<Criterion['check']>;
}

export interface ContractForm {
  readonly title: string;
  readonly goal: string;
  readonly instructions: string;
  readonly criteria: readonly CriterionForm[];
  readonly setup: string;
  readonly target: Contract['delivery']['target'];
  readonly branch: string;
}

export const formOf = ({ title, goal, instructions, criteria, setup, delivery }: Contract): ContractForm => ({
  ...{ title, goal, instructions: instructions ?? '', setup: setup?.run ?? '' },
  criteria: criteria.map(({ id, text, minProof, check }) => ({
    ...{ id, text, minProof, run: check?.run ?? '' },
    ...(check ? { check } : {}),
  })),
  target: delivery.target,
  branch: delivery.branch ?? '',
});

/** An id that no criterion has, nor had in what is edited. */
export function newId(base: Contract, { criteria }: ContractForm): string {
  const taken = new Set([...base.criteria, ...criteria].map(({ id }) => id));
  let n = taken.size + 1;
  while (taken.has(`c${n}`)) n += 1;
  return `c${n}`;
}

const USUAL_CHECK = { timeoutSec: 600, expectExit: 0, protect: [], network: 'none' } as const;
const USUAL_SETUP = { inputs: [], network: 'all', timeoutSec: 600 } as const;

/** What the form says, as a contract, to be compared with others. */
export function termsOf(base: Contract, form: ContractForm): Terms {
  const { title, goal, instructions, setup, target, branch } = form;
  return {
    ...{ title, goal, instructions: instructions.trim() === '' ? null : instructions },
    criteria: form.criteria.map(({ id, text, minProof, run, check }) => ({
      ...{ id, text, minProof },
      ...(run.trim() === '' ? {} : { check: { ...(check ?? { ...USUAL_CHECK, protect: [] }), run } }),
    })),
    setup: setup.trim() === '' ? null : { ...(base.setup ?? { ...USUAL_SETUP, inputs: [] }), run: setup },
    delivery: { target, ...(branch.trim() === '' ? {} : { branch: branch.trim() }) },
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Criteria as they are sent: a new check says only its command, the server knows what is usual. */
const sentCriterion = ({ id, text, minProof, run, check }: CriterionForm) => ({
  ...{ id, text, minProof },
  ...(run.trim() === '' ? {} : { check: check ? { ...check, run } : run }),
});

/** Only the parts that differ from what was read. */
export function patchOf(base: Contract, form: ContractForm): ContractPatch {
  const before = formOf(base);
  const { title, goal, instructions, setup, target, branch, criteria } = form;
  const delivery = { target, ...(branch.trim() === '' ? {} : { branch: branch.trim() }) };
  return {
    ...(title === before.title ? {} : { title }),
    ...(goal === before.goal ? {} : { goal }),
    ...(instructions === before.instructions ? {} : { instructions: instructions.trim() === '' ? null : instructions }),
    ...(same(criteria, before.criteria) ? {} : { criteria: criteria.map(sentCriterion) }),
    ...(setup === before.setup ? {} : { setup: setup.trim() === '' ? null : setupOf(base, setup) }),
    ...(target === before.target && branch === before.branch ? {} : { delivery }),
  };
}

const setupOf = ({ setup }: Contract, run: string) => (setup ? { ...setup, run } : run);

/** What one wrote, on a contract that somebody else has changed meanwhile: one's own changes win, the rest is theirs. */
export const rebased = (base: Contract, form: ContractForm, theirs: Contract): ContractForm =>
  onto(formOf(base), form, formOf(theirs));

/** What was written since it was sent, on the contract that came of what was sent; undefined: nothing was. */
export function writtenSince(sent: ContractForm, form: ContractForm, saved: Contract): ContractForm | undefined {
  return same(sent, form) ? undefined : onto(sent, form, formOf(saved));
}

function onto(before: ContractForm, form: ContractForm, now: ContractForm): ContractForm {
  const mine = <K extends keyof ContractForm>(part: K): ContractForm[K] =>
    same(form[part], before[part]) ? now[part] : form[part];
  return {
    ...{ title: mine('title'), goal: mine('goal'), instructions: mine('instructions') },
    ...{ setup: mine('setup'), target: mine('target'), branch: mine('branch') },
    criteria: rebasedCriteria(before, form, now),
  };
}

function rebasedCriteria(before: ContractForm, form: ContractForm, now: ContractForm): readonly CriterionForm[] {
  const [old, mine] = [before, form].map(({ criteria }) => new Map(criteria.map((each) => [each.id, each])));
  const known = new Set(now.criteria.map(({ id }) => id));
  const kept = now.criteria.flatMap((theirs) => {
    const [was, written] = [old?.get(theirs.id), mine?.get(theirs.id)];
    if (was && !written) return [];
    return [written && !same(written, was) ? written : theirs];
  });
  // What one wrote oneself stays, though it be about a criterion that is no longer there.
  const others = form.criteria.filter((each) => !known.has(each.id) && !same(each, old?.get(each.id)));
  return [...kept, ...others];
}
