import type { EventOf } from '../event.ts';
import {
  addUsage,
  type CallOwner,
  type Charge,
  type ItemState,
  NO_USAGE,
  type OpenCall,
  UNCERTAIN_CALLS_KEPT,
  type Usage,
} from '../model/index.ts';
import { invariant } from '../rejection.ts';
import { patchAction, patchRun } from './patch.ts';

function callOf({ id, calls }: ItemState, callId: string): OpenCall {
  const call = calls.find((known) => known.id === callId);
  invariant(call, `item ${id}: call ${callId} is not open`);
  return call;
}

const withCall = (state: ItemState, callId: string, change: Partial<OpenCall>): ItemState => ({
  ...state,
  calls: state.calls.map((call) => (call.id === callId ? { ...call, ...change } : call)),
});

const withoutCall = (state: ItemState, callId: string): ItemState => ({
  ...state,
  calls: state.calls.filter(({ id }) => id !== callId),
});

const usageOf = ({ tokens, costMicros }: Charge, requests: number): Usage => ({
  ...NO_USAGE,
  requests,
  tokens,
  costMicros: costMicros ?? 0,
  unpriced: costMicros === null ? requests : 0,
});

/** To the item, and to the Action whose Run made the call. */
function charged(state: ItemState, of: CallOwner, usage: Usage): ItemState {
  const next = { ...state, usage: addUsage(state.usage, usage) };
  if (of.kind === 'turn') return next;
  return patchAction(next, of.actionId, (action) => ({ ...action, usage: addUsage(action.usage, usage) }));
}

/** Its end is unknown: the estimate is charged and remembered (RES-3). */
export function lost(state: ItemState, callId: string, charge?: Charge): ItemState {
  const { id, of, model, estimate } = callOf(state, callId);
  const kept = { id, of, model, charge: charge ?? estimate };
  const uncertain = [...state.uncertain, kept].slice(-UNCERTAIN_CALLS_KEPT);
  return { ...charged(withoutCall(state, callId), of, usageOf(kept.charge, 1)), uncertain };
}

export const abandoned = withoutCall;

export const prepared = (state: ItemState, { call }: EventOf<'CallPrepared'>): ItemState => ({
  ...state,
  calls: [...state.calls, call],
});

export function dispatchedCall(state: ItemState, { callId }: EventOf<'CallDispatched'>): ItemState {
  const { of, tries } = callOf(state, callId);
  const next = withCall(state, callId, { status: 'dispatching', tries: tries + 1 });
  const run = of.kind === 'run' && state.runs.find(({ id }) => id === of.runId);
  return run ? patchRun(next, run.id, { requests: run.requests + 1 }) : next;
}

/** A turn keeps its answers until it is over, so that a new owner need not ask again; a Run reads its own at once. */
export function callSettled(state: ItemState, body: EventOf<'CallSettled'>): ItemState {
  const { callId } = body;
  if (body.as === 'rejected') return withCall(state, callId, { status: 'rejected' });
  if (body.as === 'unknown') return lost(state, callId, body.charge);
  const { of, messages } = callOf(state, callId);
  const { responseHash, charge } = body;
  const kept =
    of.kind === 'turn'
      ? withCall(state, callId, { status: 'responded', responseHash })
      : patchRun(withoutCall(state, callId), of.runId, { messagesHeard: messages });
  return charged(kept, of, usageOf(charge, 1));
}

/** Real usage replaces the estimate, and it is uncertain no more. */
export function corrected(state: ItemState, { callId, charge }: EventOf<'CallCorrected'>): ItemState {
  const known = state.uncertain.find(({ id }) => id === callId);
  invariant(known, `item ${state.id}: call ${callId} is not uncertain`);
  const [was, is] = [usageOf(known.charge, 1), usageOf(charge, 1)];
  const [tokens, costMicros] = [is.tokens - was.tokens, is.costMicros - was.costMicros];
  const delta = { ...NO_USAGE, tokens, costMicros, unpriced: is.unpriced - was.unpriced };
  return { ...charged(state, known.of, delta), uncertain: state.uncertain.filter(({ id }) => id !== callId) };
}
