import type { EventOf } from '../event.ts';
import { type ActionState, addUsage, type Claim, type ItemState, identityOf, type Operation } from '../model/index.ts';
import { patchAction, without, wrote } from './patch.ts';

type Settled = EventOf<'RunSettled'>;

/** The newest claim of each Action, criterion and verdict is enough: older ones can decide nothing any more. */
function rememberClaims(known: readonly Claim[], fresh: readonly Claim[]): readonly Claim[] {
  const key = (claim: Claim): string =>
    `${claim.by === 'machine' ? 'machine' : claim.actionId}|${claim.criterionId}|${claim.status}`;
  const replaced = new Set(fresh.map(key));
  return [...known.filter((claim) => !replaced.has(key(claim))), ...fresh];
}

const settledAction = (action: ActionState, body: Settled): ActionState => ({
  ...without(action, 'runId', 'result', 'failureCode'),
  status: body.actionStatus,
  attempts: action.attempts + (body.attemptCharged ? 1 : 0),
  suspicions: action.suspicions + (body.suspicion ? 1 : 0),
  readyAt: body.readyAt,
  lastRun: body.run,
  usage: addUsage(action.usage, body.usage),
  ...(body.result ? { result: body.result } : {}),
  ...(body.failureCode === undefined ? {} : { failureCode: body.failureCode }),
});

/** A dispatched external effect ends with its Run: applied when it completed, unknown otherwise (OPS-3). */
const settledOperation = (operation: Operation, { run }: Settled): Operation =>
  operation.runId === run.id && operation.effect === 'pending'
    ? { ...operation, effect: run.status === 'completed' ? 'applied' : 'unknown' }
    : operation;

/** A Run ends: its Action moves, its claims and usage count, its effects are no longer pending. */
export function settled(state: ItemState, body: Settled, seq: number): ItemState {
  const next: ItemState = {
    ...patchAction(state, body.actionId, (action) => settledAction(action, body)),
    runs: state.runs.filter((live) => live.id !== body.run.id),
    claims: rememberClaims(
      state.claims,
      body.claims.map((claim) => ({ ...claim, seq })),
    ),
    operations: state.operations.map((operation) => settledOperation(operation, body)),
    usage: addUsage(state.usage, body.usage),
  };
  const { actionId, run } = body;
  return body.wroteInPlace
    ? wrote(next, { actionId, generation: run.generation, identity: identityOf(next, actionId), seq })
    : next;
}
