import { isWriter } from '../model/action.ts';
import type { FinalResult, ItemState, ProvenCriterion } from '../model/item.ts';
import { OUTCOME_LIMITS, type Output } from '../model/outcome.ts';
import { goalOf } from './goal.ts';
import { isVerify } from './graph.ts';

const resultsOf = (state: ItemState) =>
  state.actions.flatMap(({ spec, status, result }) => (status === 'completed' && result ? [{ spec, ...result }] : []));

/** What the item delivers: the files its merged results changed, and what its executors named (GOAL-9). */
function outputsOf(state: ItemState): readonly Output[] {
  const all = resultsOf(state).flatMap(({ spec, changedPaths, outcome }) => {
    const files = changedPaths.map((ref): Output => ({ kind: 'file', ref }));
    return [...(isWriter(spec) ? files : []), ...outcome.outputs];
  });
  const distinct = new Map(all.map((output) => [`${output.kind} ${output.ref}`, output]));
  return [...distinct.values()].slice(0, OUTCOME_LIMITS.outputsMax);
}

/** The substantive answer of a `response` delivery: the last completed Action that said something (D25). */
export function responseOf(state: ItemState): string {
  const said = resultsOf(state).filter(({ spec }) => spec.executor.kind !== 'verify');
  return said.map(({ outcome }) => outcome.summary.trim()).findLast((summary) => summary !== '') ?? '';
}

const provenCriteria = (state: ItemState): readonly ProvenCriterion[] =>
  goalOf(state).criteria.flatMap(({ criterion: { id, text }, proof, flags, claim }) =>
    proof && claim ? [{ criterionId: id, text, proof, flags, runId: claim.runId }] : [],
  );

function summaryOf(state: ItemState): string {
  if (state.contract.delivery.target === 'response') return responseOf(state);
  if (state.completion) return state.completion.summary;
  const done = state.actions.filter((action) => action.status === 'completed' && !isVerify(action)).length;
  const closed = state.actions.filter(({ status }) => status === 'closed').map(({ id }) => id);
  const without = closed.length > 0 ? ` Left out: ${closed.join(', ')}.` : '';
  const { proven, total } = goalOf(state);
  return `${done} Action(s) completed, ${proven} of ${total} proven.${without}`;
}

/** A delivery that has nothing to deliver is not a delivery (D25). */
export const isEmptyDelivery = (state: ItemState): boolean =>
  state.contract.delivery.target === 'response' ? responseOf(state) === '' : outputsOf(state).length === 0;

/** The result to be frozen; undefined while it would have nothing to deliver. */
export function finalResult(state: ItemState): FinalResult | undefined {
  const outputs = outputsOf(state);
  const { delivery } = state.contract;
  if (isEmptyDelivery(state)) return undefined;
  return {
    summary: summaryOf(state).slice(0, OUTCOME_LIMITS.summaryChars),
    criteria: provenCriteria(state),
    outputs,
    delivery,
    // In place nothing is committed: the files themselves are the result.
    ...(state.base.kind === 'git' && state.contract.workspace === 'isolated' ? { commit: state.branch.head } : {}),
    ...(state.published ? { publishedBranch: state.published.ref } : {}),
    ...(state.pull ? { pullRequest: state.pull.url } : {}),
    ...(state.completion ? { residualRisks: state.completion.residualRisks } : {}),
    usage: state.usage,
  };
}
