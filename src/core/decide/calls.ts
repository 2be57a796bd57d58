import type { CallFence, CommandOf, Context } from '../command.ts';
import { fullRoom, type Room, sayAmount, spentRoom } from '../derive/budget.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody, EventOf } from '../event.ts';
import type { CallOwner, ItemState, OpenCall } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { isWholeWithin } from '../rules/problem.ts';
import { type Answer, fencedRun, fencedTurn, type Handlers, isLive, whyHalted } from './handler.ts';

/** The owner that a fence speaks for, while it is live. */
function ownerOf(state: ItemState, fence: CallFence): CallOwner | Rejection {
  if (fence.kind === 'turn') {
    const turn = fencedTurn(state, fence);
    return 'code' in turn ? turn : { kind: 'turn', turnId: turn.id };
  }
  const live = fencedRun(state, fence.run.runId, fence.run.epoch, fence.run.owner);
  if (!isLive(live)) return live;
  if (!live.run.dispatched) return reject('not_dispatched', `Run ${live.run.id} has not been dispatched (V18).`);
  return { kind: 'run', runId: live.run.id, actionId: live.action.id, epoch: live.run.epoch };
}

const isSameOwner = (a: CallOwner, b: CallOwner): boolean =>
  a.kind === 'run' ? b.kind === 'run' && a.runId === b.runId : b.kind === 'turn' && a.turnId === b.turnId;

/** An open call of the fenced owner in one of these states. */
function fencedCall(
  state: ItemState,
  { fence, callId }: { readonly fence: CallFence; readonly callId: string },
  ...wanted: readonly OpenCall['status'][]
): OpenCall | Rejection {
  const owner = ownerOf(state, fence);
  if ('code' in owner) return owner;
  const call = state.calls.find(({ id }) => id === callId);
  if (!call || !isSameOwner(call.of, owner)) return reject('call_not_found', `There is no open call ${callId}.`);
  if (wanted.includes(call.status)) return call;
  const more = { expected: wanted.join(' or '), found: call.status };
  return reject('wrong_state', `Call ${callId} is ${call.status}.`, more);
}

const sayRoom = ({ what, limit, used, reserved }: Room): string =>
  `${used} ${what} used and ${reserved} reserved of ${limit}`;

/** The hold of an item that has settled as much as it may (D26). */
export const spent = ({ code, what, limit, used }: Room, at: number): EventBody => {
  const details = `The budget is used up: ${sayAmount(what, used)} of ${sayAmount(what, limit ?? 0)}.`;
  return { type: 'ItemHeld', hold: { code, at, details } };
};

/** More requests than one Run may make end that Run, not the item (D26). */
function runIsSpent({ runs, limits }: ItemState, of: CallOwner): Rejection | undefined {
  const run = of.kind === 'run' && runs.find(({ id }) => id === of.runId);
  if (!run || run.requests < limits.runRequests) return undefined;
  const more = { expected: `fewer than ${limits.runRequests} requests`, found: `${run.requests}` };
  return reject('run_requests_exhausted', `Run ${run.id} has made all requests that one Run may make.`, more);
}

function dayIsSpent({ tokens, costMicros }: OpenCall['estimate'], { facts, policy }: Context): Rejection | undefined {
  const over =
    (policy.dailyTokens !== null && facts.day.tokens + tokens > policy.dailyTokens) ||
    (policy.dailyCostMicros !== null && facts.day.costMicros + (costMicros ?? 0) > policy.dailyCostMicros);
  if (!over) return undefined;
  const next = 'Wait for midnight (UTC), or raise limits.dailyTokens or limits.dailyUsd.';
  return reject('daily_limit', 'The limit of this installation for one day is reached.', { next });
}

function unpriced({ limits }: ItemState, { model, estimate }: Pick<OpenCall, 'model' | 'estimate'>) {
  if (limits.costMicros === null || estimate.costMicros !== null || limits.allowUnmetered) return undefined;
  const next = 'Give the model a price (workcenter settings set prices …), or allow unmetered use.';
  return reject('unpriced_model', `There is a limit of money, and no price of ${model} is known.`, { next });
}

/** Reserve before dispatch (RES-1): a hold when nothing is left, a wait when others have reserved what is. */
function whyNoRoom(state: ItemState, call: OpenCall, ctx: Context): Rejection | undefined {
  const full = fullRoom(state, call.estimate);
  const wait = full && reject('budget_reserved', 'Other calls have reserved the rest.', { found: sayRoom(full) });
  return runIsSpent(state, call.of) ?? unpriced(state, call) ?? dayIsSpent(call.estimate, ctx) ?? wait;
}

/** After a lost answer only a person goes on (D11). Each request carries what was heard, and what came since (D15). */
function whyNotAsk(state: ItemState, of: CallOwner, messages: number): Rejection | undefined {
  const lost = state.uncertain.find((known) => isSameOwner(known.of, of));
  const next = 'End here: a person says whether to ask again.';
  if (lost) return reject('wrong_state', `The answer to call ${lost.id} was lost.`, { next });
  const run = of.kind === 'run' && state.runs.find(({ id }) => id === of.runId);
  const [heard, said] = run ? [run.messagesHeard, actionById(state, run.actionId)?.messages.length ?? 0] : [0, 0];
  if (isWholeWithin(messages, heard, said)) return undefined;
  const more = { expected: `${heard}..${said}`, found: `${messages}` };
  return reject('invalid_field', 'A request carries messages of its Action in order.', more);
}

function prepare(state: ItemState, body: CommandOf<'PrepareCall'>, ctx: Context): Answer {
  const of = ownerOf(state, body.fence);
  if ('code' in of) return of;
  const halted = whyHalted(state);
  if (halted) return halted;
  const { callId: id, n, model, requestHash, estimate, messages } = body;
  const open = state.calls.find(
    (known) => isSameOwner(known.of, of) && (known.n === n || known.status !== 'responded'),
  );
  if (open) return reject('wrong_state', `Call ${open.id} is open already.`, { found: open.status });
  const wrong = whyNotAsk(state, of, messages);
  if (wrong) return wrong;
  const room = spentRoom(state);
  if (room) return [spent(room, ctx.now)];
  const call: OpenCall = { id, of, n, model, requestHash, status: 'prepared', tries: 0, estimate, messages };
  return whyNoRoom(state, call, ctx) ?? [{ type: 'CallPrepared', call }];
}

/** The last durable write before bytes leave; what was rejected reserves again (D3). */
function dispatch(state: ItemState, body: CommandOf<'DispatchCall'>, ctx: Context): Answer {
  const call = fencedCall(state, body, 'prepared', 'rejected');
  if ('code' in call) return call;
  const halted = whyHalted(state);
  if (halted) return halted;
  const room = spentRoom(state);
  if (room) return [spent(room, ctx.now)];
  const full = call.status === 'rejected' ? whyNoRoom(state, call, ctx) : runIsSpent(state, call.of);
  return full ?? [{ type: 'CallDispatched', callId: call.id }];
}

/** What a turn that ends has sent and not heard of: nobody knows, and it stays charged (RES-4). */
export const lostWith = ({ calls }: ItemState, turnId: string): readonly EventOf<'CallSettled'>[] =>
  calls
    .filter(({ of, status }) => of.kind === 'turn' && of.turnId === turnId && status === 'dispatching')
    .map(({ id: callId, estimate: charge }) => {
      const error = 'Its turn ended while it was on its way.';
      return { type: 'CallSettled', callId, as: 'unknown', code: 'turn_ended', error, charge };
    });

/** The journal of model requests: write-ahead, at most once per record (architecture, "Model calls"). */
export const CALL_HANDLERS: Handlers<
  'PrepareCall' | 'DispatchCall' | 'SettleCall' | 'MarkCallUnknown' | 'CorrectCall'
> = {
  PrepareCall: prepare,
  DispatchCall: dispatch,
  SettleCall(state, body) {
    const call = fencedCall(state, body, 'dispatching');
    return 'code' in call ? call : [{ type: 'CallSettled', callId: call.id, ...body.verdict }];
  },
  MarkCallUnknown(state, body) {
    const call = fencedCall(state, body, 'dispatching');
    if ('code' in call) return call;
    const error = 'It was sent, and its owner is gone: nobody knows the answer.';
    return [{ type: 'CallSettled', callId: call.id, as: 'unknown', code: 'owner_gone', error, charge: call.estimate }];
  },
  CorrectCall({ uncertain }, { callId, charge, tokens }) {
    if (uncertain.some(({ id }) => id === callId)) return [{ type: 'CallCorrected', callId, charge, tokens }];
    return reject('call_not_found', `Call ${callId} is not uncertain.`);
  },
};
