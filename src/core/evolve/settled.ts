import type { EventOf } from '../event.ts';
import { type ActionState, addUsage, type Claim, type ItemState, identityOf, type Operation } from '../model/index.ts';
import { abandoned, lost } from './calls.ts';
import { asFact } from './coordination.ts';
import { patchAction, without, wrote } from './patch.ts';

type Settled = EventOf<'RunSettled'>;

/** The newest claim of each Action, criterion and verdict is enough: older ones can decide nothing any more. */
function rememberClaims(known: readonly Claim[], fresh: readonly Claim[]): readonly Claim[] {
  const key = (claim: Claim): string =>
    `${claim.by === 'machine' ? 'machine' : claim.actionId}|${claim.criterionId}|${claim.status}`;
  const replaced = new Set(fresh.map(key));
  return [...known.filter((claim) => !replaced.has(key(claim))), ...fresh];
}

/** A stop drops what a person wrote and no model has heard (rule 22). */
const settledAction = (action: ActionState, body: Settled, heard: number): ActionState => ({
  ...without(action, 'runId', 'result', 'failureCode'),
  status: body.actionStatus,
  attempts: action.attempts + (body.attemptCharged ? 1 : 0),
  suspicions: action.suspicions + (body.suspicion ? 1 : 0),
  readyAt: body.readyAt,
  lastRun: body.run,
  usage: addUsage(action.usage, body.usage),
  ...(body.run.status === 'cancelled' ? { messages: action.messages.slice(0, heard) } : {}),
  ...(body.result ? { result: body.result } : {}),
  ...(body.failureCode === undefined ? {} : { failureCode: body.failureCode }),
});

/**
 * A dispatched external effect ends with its Run: applied when it completed, unknown otherwise (OPS-3). A tool call that
 * was still on its way is unknown in any case.
 */
const settledOperation = (operation: Operation, { run }: Settled): Operation =>
  operation.runId === run.id && operation.effect === 'pending'
    ? { ...operation, effect: run.status === 'completed' && !operation.tool ? 'applied' : 'unknown' }
    : operation;

/** Of the tool calls of a Run that is over, only open questions are remembered. */
const isRemembered =
  ({ run }: Settled) =>
  ({ runId, tool, effect }: Operation): boolean =>
    runId !== run.id || tool === undefined || effect === 'unknown';

/** Its open calls end with it: never sent, or sent and lost. */
const withoutCalls = (state: ItemState, { calls = [] }: Settled): ItemState =>
  calls.reduce((next, { callId, as }) => (as === 'unknown' ? lost(next, callId) : abandoned(next, callId)), state);

/**
 * Whether the decider has to hear of it: the Action moved on, or a check judged the result (D17). Once it has decided
 * that all is done, only a refusal is news.
 */
function isNews({ actionStatus, run, claims }: Settled, isVerify: boolean, isDecided: boolean): boolean {
  if (!isVerify || (actionStatus === 'completed' && !isDecided)) return actionStatus !== 'ready';
  return run.status === 'failed' || claims.some(({ status }) => status === 'failed');
}

/** A Run ends: its Action moves, its claims and usage count, its effects are no longer pending. */
export function settled(state: ItemState, body: Settled, seq: number): ItemState {
  const before = withoutCalls(state, body);
  const heard = state.runs.find(({ id }) => id === body.run.id)?.messagesHeard ?? 0;
  const isVerify = state.actions.find(({ id }) => id === body.actionId)?.spec.executor.kind === 'verify';
  const after: ItemState = {
    ...patchAction(before, body.actionId, (action) => settledAction(action, body, heard)),
    runs: state.runs.filter((live) => live.id !== body.run.id),
    claims: rememberClaims(
      state.claims,
      body.claims.map((claim) => ({ ...claim, seq })),
    ),
    operations: state.operations.map((operation) => settledOperation(operation, body)).filter(isRemembered(body)),
    usage: addUsage(before.usage, body.usage),
  };
  const next = isNews(body, isVerify, state.completion !== undefined) ? asFact(after, seq) : after;
  const { actionId, run } = body;
  return body.wroteInPlace
    ? wrote(next, { actionId, generation: run.generation, identity: identityOf(next, actionId), seq })
    : next;
}
