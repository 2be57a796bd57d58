import { isWriter } from '../model/action.ts';
import type { FinalResult, ItemState, ProvenCriterion } from '../model/item.ts';
import { OUTCOME_LIMITS, type Output } from '../model/outcome.ts';
import { goalOf } from './goal.ts';
import { isVerify } from './graph.ts';

const outputKey = (output: Output): string => `${output.kind} ${output.ref}`;

/** What the item delivers: the files its merged results changed, and what its executors named (GOAL-9). */
export function outputsOf(state: ItemState): readonly Output[] {
  const found = new Map<string, Output>();
  for (const action of state.actions) {
    const { result } = action;
    if (!result || action.status !== 'completed') continue;
    const written = isWriter(action.spec) ? result.changedPaths : [];
    const files = written.map((ref): Output => ({ kind: 'file', ref }));
    const named = result.outcome.kind === 'completed' ? result.outcome.outputs : [];
    for (const output of [...files, ...named]) found.set(outputKey(output), output);
  }
  return [...found.values()].slice(0, OUTCOME_LIMITS.outputsMax);
}

/** The substantive answer of a `response` delivery: the last completed Action that said something (D25). */
export function responseOf(state: ItemState): string {
  const said = state.actions
    .filter((action) => !isVerify(action) && action.status === 'completed' && action.result)
    .map((action) => (action.result?.outcome.kind === 'completed' ? action.result.outcome.summary.trim() : ''))
    .filter((summary) => summary !== '');
  return said.at(-1) ?? '';
}

function provenCriteria(state: ItemState): readonly ProvenCriterion[] {
  return goalOf(state).criteria.flatMap(({ criterion, proof, flags, claim }) =>
    proof && claim ? [{ criterionId: criterion.id, text: criterion.text, proof, flags, runId: claim.runId }] : [],
  );
}

function summaryOf(state: ItemState): string {
  if (state.contract.delivery.target === 'response') return responseOf(state);
  const done = state.actions.filter((action) => action.status === 'completed' && !isVerify(action)).length;
  const closed = state.actions.filter((action) => action.status === 'closed').map((action) => action.id);
  const without = closed.length > 0 ? ` Left out: ${closed.join(', ')}.` : '';
  return `${done} Action(s) completed, ${state.contract.criteria.length} of ${state.contract.criteria.length} proven.${without}`;
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
    usage: state.usage,
  };
}
