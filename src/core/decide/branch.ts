import { isDeliverable, mergesDue, needsLanding } from '../derive/due.ts';
import type { EventBody } from '../event.ts';
import type { ItemState } from '../model/item.ts';
import type { HumanRequest } from '../model/request.ts';
import { type Rejection, reject } from '../rejection.ts';
import { fencedAction, type Handler, isAction } from './handler.ts';

const staleHead = (state: ItemState, expected: string): Rejection | undefined =>
  state.branch.head === expected
    ? undefined
    : reject('head_stale', 'The item branch has moved.', { expected, found: state.branch.head });

/** Merging is the engine's own step: repeated after a crash it finds its own merge and changes nothing (D32). */
export const recordMerge: Handler<'RecordMerge'> = (state, body) => {
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  const stale = staleHead(state, body.expectedHead);
  if (stale) return stale;
  if (!mergesDue(state).some((due) => due.id === action.id)) {
    return reject('wrong_state', `Action ${action.id} has nothing to merge.`);
  }
  const address = { actionId: action.id, generation: action.generation };
  if (body.result.kind === 'conflict') {
    const { paths, ours, theirs } = body.result;
    return [{ type: 'MergeConflicted', ...address, paths, ours, theirs }];
  }
  const { head } = body.result;
  return [{ type: 'ResultMerged', ...address, head, wrote: head !== state.branch.head }];
};

export const recordSync: Handler<'RecordSync'> = (state, body) => {
  const stale = staleHead(state, body.expectedHead);
  if (stale) return stale;
  if (state.lifecycle !== 'open' || state.landing.kind === 'reserved') {
    return reject('wrong_state', `Item ${state.id} cannot take in its target now.`);
  }
  return [{ type: 'TargetSynced', head: body.head, targetHead: body.targetHead }];
};

export const recordPublish: Handler<'RecordPublish'> = (state, body) => {
  if (body.commit !== state.branch.head || !isDeliverable(state)) {
    return reject('not_deliverable', `Item ${state.id} has no proven result at ${body.commit}.`);
  }
  return [{ type: 'ResultPublished', ref: body.ref, commit: body.commit }];
};

function deliveryRequest(
  state: ItemState,
  code: string,
  question: string,
  details: readonly string[],
  at: number,
): EventBody {
  const mayUseBranch = state.contract.delivery.target === 'merge' && code.startsWith('landing');
  const request: HumanRequest = {
    id: `r${state.requestCount + 1}`,
    kind: 'recovery',
    subject: { kind: 'delivery_blocked', code },
    question,
    details,
    choices: mayUseBranch ? ['retry', 'branch_only', 'stop'] : ['retry', 'stop'],
    openedAt: at,
  };
  return { type: 'RequestOpened', request };
}

export const blockDelivery: Handler<'BlockDelivery'> = (state, body, ctx) => {
  if (!isDeliverable(state)) return reject('not_deliverable', `Item ${state.id} has no delivery to block.`);
  return [deliveryRequest(state, body.code, body.question, body.details, ctx.now)];
};

/** The reservation (INT-1): only a commit whose checks all passed is delivered (D25). */
export const beginLanding: Handler<'BeginLanding'> = (state, body) => {
  const { branch } = state.contract.delivery;
  const fits = isDeliverable(state) && needsLanding(state) && body.commit === state.branch.head;
  if (state.landing.kind === 'reserved' || !fits || branch === undefined) {
    return reject('not_deliverable', `Item ${state.id} has nothing to land at ${body.commit}.`, {
      found: state.landing.kind,
    });
  }
  return [{ type: 'LandingReserved', epoch: state.landingEpoch + 1, commit: body.commit, branch }];
};

export const settleLanding: Handler<'SettleLanding'> = (state, body, ctx) => {
  if (state.landing.kind !== 'reserved' || state.landing.epoch !== body.epoch) {
    return reject('wrong_state', `No landing of ${state.id} is reserved at epoch ${body.epoch}.`);
  }
  const { result } = body;
  if (result.kind === 'landed') return [{ type: 'LandingSettled', landed: true, code: 'landed', detail: '' }];
  if (result.kind === 'not_landed') {
    return [{ type: 'LandingSettled', landed: false, code: result.code, detail: result.detail }];
  }
  const settled: EventBody = { type: 'LandingSettled', landed: false, code: result.code, detail: result.question };
  if (state.lifecycle !== 'open') return [settled];
  return [settled, deliveryRequest(state, `landing_${result.code}`, result.question, result.details, ctx.now)];
};
