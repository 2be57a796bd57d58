import type { Check, Contract, Criterion, ItemState } from '../../core/index.ts';
import { PLAN_DEFAULTS } from '../../plan/read/schema.ts';
import type { Problem } from './complaints.ts';
import type { WrittenProposal } from './schema.ts';

type WrittenCriterion = NonNullable<WrittenProposal['criteria']>[number];
type WrittenCheck = NonNullable<WrittenCriterion['check']>;

const checkOf = ({ timeoutSec, expectExit, protect, ...given }: WrittenCheck): Check => ({
  ...given,
  timeoutSec: timeoutSec ?? PLAN_DEFAULTS.checkTimeoutSec,
  expectExit: expectExit ?? 0,
  protect: protect ?? [],
  network: 'loopback',
});

/** Ids that were never used: what was once said about a namesake must not count for a new criterion. */
function freshIds({ contract, claims }: ItemState): () => string {
  const used = [...contract.criteria.map(({ id }) => id), ...claims.map(({ criterionId }) => criterionId)];
  let last = Math.max(0, ...used.map((id) => Number(/^c(\d+)$/.exec(id)?.[1] ?? 0)));
  return () => {
    last += 1;
    return `c${last}`;
  };
}

/** A criterion with a check is decided by it; one that only now gets a check is raised to that strength. */
function changed(known: Criterion, { text, check, minProof }: WrittenCriterion): Criterion {
  const gainsCheck = check !== undefined && known.check === undefined;
  return {
    ...known,
    ...(text === undefined ? {} : { text }),
    ...(check === undefined ? {} : { check: checkOf(check) }),
    minProof: minProof ?? (gainsCheck ? 'machine' : known.minProof),
  };
}

const added = (id: string, text: string, { check, minProof }: WrittenCriterion): Criterion => ({
  id,
  version: 1,
  text,
  ...(check === undefined ? {} : { check: checkOf(check) }),
  minProof: minProof ?? (check === undefined ? 'self' : 'machine'),
});

/** What is wrong with the references of a proposal; the contract that results is judged by the core. */
function proposalProblems({ criteria = [], removeCriteria = [] }: WrittenProposal, path: string, state: ItemState) {
  const known = state.contract.criteria.map(({ id }) => id);
  const problem = (where: string, expected: string, found: string): Problem => ({
    path: `${path}.${where}`,
    expected,
    found,
  });
  const unknown = (id: string, where: string) =>
    known.includes(id) ? [] : [problem(where, `one of ${known.join(', ')}, or no id for a new one`, id)];
  const named = criteria.flatMap(({ id }) => id ?? []);
  const twice = named.find((id, at) => named.indexOf(id) !== at || removeCriteria.includes(id));
  return [
    ...criteria.flatMap(({ id, text }, at) => {
      if (id !== undefined) return unknown(id, `criteria[${at}].id`);
      return text === undefined ? [problem(`criteria[${at}].text`, 'the text of a new criterion', '')] : [];
    }),
    ...removeCriteria.flatMap((id, at) => unknown(id, `removeCriteria[${at}]`)),
    ...(twice === undefined ? [] : [problem('criteria', 'each criterion once', twice)]),
  ];
}

/** The whole contract that a proposal means: what it does not name stays as it is (D20). */
export function compileContract(
  proposal: WrittenProposal,
  path: string,
  state: ItemState,
): Contract | readonly Problem[] {
  const wrong = proposalProblems(proposal, path, state);
  if (wrong.length > 0) return wrong;
  const { title, goal, criteria = [], removeCriteria = [], delivery, instructions } = proposal;
  const edits = new Map(criteria.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])));
  const nextId = freshIds(state);
  const kept = state.contract.criteria.flatMap((known) => {
    const edit = edits.get(known.id);
    if (removeCriteria.includes(known.id)) return [];
    return [edit ? changed(known, edit) : known];
  });
  const fresh = criteria.flatMap((entry) =>
    entry.id === undefined && entry.text !== undefined ? [added(nextId(), entry.text, entry)] : [],
  );
  return {
    ...state.contract,
    ...(title === undefined ? {} : { title }),
    ...(goal === undefined ? {} : { goal }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(instructions === undefined ? {} : { instructions }),
    criteria: [...kept, ...fresh],
  };
}
