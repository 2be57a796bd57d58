import type { EventBody, StoredEvent } from '../event.ts';
import type { ActionState } from '../model/action.ts';
import type { Claim, ItemState, Operation, WriteMark } from '../model/item.ts';
import { addUsage } from '../model/outcome.ts';
import { patchAction, without } from './parts.ts';

type Settled = Extract<EventBody, { type: 'RunSettled' }>;
type Dispatched = Extract<EventBody, { type: 'RunDispatched' }>;
type Claimed = Extract<EventBody, { type: 'RunClaimed' }>;

/** The newest claim of each Action, criterion and verdict is enough: older ones can decide nothing any more. */
export function rememberClaims(known: readonly Claim[], fresh: readonly Claim[]): readonly Claim[] {
  const key = (claim: Claim): string =>
    `${claim.by === 'machine' ? 'machine' : claim.actionId}|${claim.criterionId}|${claim.status}`;
  const replaced = new Set(fresh.map(key));
  return [...known.filter((claim) => !replaced.has(key(claim))), ...fresh];
}

/** The newest write of each Action; an Action writes as itself, whatever its generation. */
export function rememberWrite(writes: readonly WriteMark[], mark: WriteMark): readonly WriteMark[] {
  return [...writes.filter((write) => write.actionId !== mark.actionId), mark];
}

function claimed(state: ItemState, body: Claimed): ItemState {
  const { run } = body;
  const next = patchAction(state, run.actionId, (action) => ({
    ...without(action, 'failureCode'),
    status: 'running',
    runId: run.id,
    runs: run.ordinal,
    leaseEpoch: run.epoch,
  }));
  return { ...next, runs: [...state.runs, run], claimKey: run.startedAt };
}

function dispatched(state: ItemState, body: Dispatched): ItemState {
  const runs = state.runs.map((run) =>
    run.id === body.runId ? { ...run, dispatched: true, base: body.base, enforcement: body.enforcement } : run,
  );
  const operations = body.operation ? [...state.operations, body.operation] : state.operations;
  return { ...state, runs, operations };
}

function settledAction(action: ActionState, body: Settled): ActionState {
  const kept = without(action, 'runId', 'result', 'failureCode');
  return {
    ...kept,
    status: body.actionStatus,
    attempts: action.attempts + (body.attemptCharged ? 1 : 0),
    suspicions: action.suspicions + (body.suspicion ? 1 : 0),
    readyAt: body.readyAt,
    lastRun: body.run,
    usage: addUsage(action.usage, body.usage),
    ...(body.result ? { result: body.result } : {}),
    ...(body.failureCode === undefined ? {} : { failureCode: body.failureCode }),
  };
}

/** A dispatched external effect ends with its Run: applied when it completed, unknown otherwise (OPS-3). */
function settleOperations(operations: readonly Operation[], body: Settled): readonly Operation[] {
  if (!operations.some((operation) => operation.runId === body.run.id)) return operations;
  const effect = body.run.status === 'completed' ? 'applied' : 'unknown';
  return operations.map((operation) =>
    operation.runId === body.run.id && operation.effect === 'pending' ? { ...operation, effect } : operation,
  );
}

function settled(state: ItemState, body: Settled, event: StoredEvent): ItemState {
  const next = patchAction(state, body.actionId, (action) => settledAction(action, body));
  const run = state.runs.find((live) => live.id === body.run.id);
  const action = state.actions.find((candidate) => candidate.id === body.actionId);
  const wrote = body.wroteInPlace && run && action;
  const identity = action?.spec.executor.kind === 'command' ? action.spec.executor.identity : 'engine';
  return {
    ...next,
    runs: state.runs.filter((live) => live.id !== body.run.id),
    claims: rememberClaims(
      state.claims,
      body.claims.map((claim) => ({ ...claim, seq: event.seq })),
    ),
    operations: settleOperations(state.operations, body),
    usage: addUsage(state.usage, body.usage),
    ...(wrote
      ? {
          writes: rememberWrite(state.writes, {
            actionId: action.id,
            generation: run.generation,
            identity,
            seq: event.seq,
          }),
          branch: { ...state.branch, writeSeq: event.seq },
        }
      : {}),
  };
}

/** Runs, what they claim, and the side effects they leave. */
export function evolveRun(state: ItemState, body: EventBody, event: StoredEvent): ItemState {
  switch (body.type) {
    case 'RunClaimed':
      return claimed(state, body);
    case 'RunDispatched':
      return dispatched(state, body);
    case 'RunSettled':
      return settled(state, body, event);
    case 'OperationResolved':
      return {
        ...state,
        operations: state.operations.map((operation) =>
          operation.id === body.operationId ? { ...operation, effect: body.effect } : operation,
        ),
      };
    default:
      return state;
  }
}
