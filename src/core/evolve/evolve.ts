import type { EventOf, EventType, ResetCause, StoredEvent } from '../event.ts';
import {
  type ActionState,
  addUsage,
  type Contract,
  type ItemState,
  identityOf,
  type Landing,
  NO_USAGE,
} from '../model/index.ts';
import { invariant } from '../rejection.ts';
import { callSettled, corrected, dispatchedCall, prepared } from './calls.ts';
import { answered, granted, grantUsed, opened, posted, withoutRequest } from './conversation.ts';
import {
  asFact,
  completionDecided,
  completionVoided,
  NO_TURNS,
  reopened,
  turnAdopted,
  turnDecided,
  turnFailed,
  turnOpened,
  turnRetired,
} from './coordination.ts';
import { newAction, patchAction, patchRun, without, wrote } from './patch.ts';
import { settled } from './settled.ts';

/** The name under which a sync with the target counts as a write: nobody's proof survives it. */
const TARGET_SYNC = '@target';

/** What a new item has none of. */
const NOTHING_YET = { runs: [], claims: [], writes: [], operations: [], requests: [], inbox: [] } as const;
const NO_CALLS = { calls: [], uncertain: [], coordinator: NO_TURNS } as const;
const NO_COUNTS = { requestCount: 0, messageCount: 0, verifyCount: 0, verifyAskedSeq: 0, landingEpoch: 0 } as const;

function createItem(id: string, body: EventOf<'ItemCreated'>, { seq, at }: StoredEvent): ItemState {
  const { type: _type, actions, ...born } = body;
  const head = born.base.kind === 'git' ? born.base.commit : born.base.contentHash;
  return {
    id,
    ...born,
    version: seq,
    createdAt: at,
    updatedAt: at,
    contractVersion: 1,
    planVersion: 1,
    lifecycle: 'draft',
    controlVersion: 1,
    usage: NO_USAGE,
    actions: actions.map((action, index) => newAction(action, index + 1, 1, at)),
    ...NOTHING_YET,
    ...NO_CALLS,
    ...NO_COUNTS,
    branch: { head, base: head, writeSeq: seq },
    landing: { kind: 'none' },
    claimKey: at,
  };
}

/** What stays said: the message that caused the reset, and all where the old generation was not at its end (rule 22). */
function keptMessages({ messages, lastRun }: ActionState, cause: ResetCause): ActionState['messages'] {
  if (cause === 'message') return messages.slice(-1);
  const goesOn = cause === 'reopen' || cause === 'approval' || lastRun?.status === 'unknown';
  return goesOn ? messages : [];
}

/**
 * A new generation starts clean: nothing of the old result may count again (D7). What a person said to the old one is
 * dropped with it, but for the message or the leave that caused it, and at reopening what was heard (rules 17, 18, 22).
 */
const reset = (state: ItemState, action: ActionState, body: EventOf<'ActionReset'>, at: number): ActionState => ({
  ...without(action, 'result', 'runId', 'closeReason', 'failureCode'),
  status: 'ready',
  generation: body.generation,
  contractVersion: state.contractVersion,
  grantedAttempts: action.grantedAttempts + body.grantAttempts,
  suspicions: 0,
  readyAt: at,
  guidance: body.guidance === undefined ? action.guidance : [...action.guidance, body.guidance],
  messages: keptMessages(action, body.cause),
  grants: body.cause === 'approval' ? action.grants : [],
  approvals: body.cause === 'approval' ? action.approvals : 0,
  merge: { kind: 'none' },
});

/** What was closed no longer waits to be merged: integration leaves it out (D2). */
const closed = (action: ActionState, closeReason: string): ActionState => {
  return { ...action, status: 'closed', closeReason, merge: { kind: 'none' } };
};

function added(state: ItemState, { action }: EventOf<'ActionAdded'>, at: number): ItemState {
  const entry = newAction(action, state.actions.length + 1, state.contractVersion, at);
  const verifies = action.spec.executor.kind === 'verify' ? 1 : 0;
  return { ...state, actions: [...state.actions, entry], verifyCount: state.verifyCount + verifies };
}

function claimed(state: ItemState, { run }: EventOf<'RunClaimed'>): ItemState {
  const { id: runId, ordinal: runs, epoch: leaseEpoch } = run;
  const live = { status: 'running', runId, runs, leaseEpoch } as const;
  const next = patchAction(state, run.actionId, (action) => ({ ...without(action, 'failureCode'), ...live }));
  return { ...next, runs: [...state.runs, run], claimKey: run.startedAt };
}

function dispatched(state: ItemState, { runId, base, enforcement, operation }: EventOf<'RunDispatched'>): ItemState {
  const next = patchRun(state, runId, { dispatched: true, base, enforcement });
  return { ...next, operations: operation ? [...state.operations, operation] : state.operations };
}

function merged(state: ItemState, body: EventOf<'ResultMerged'>, seq: number): ItemState {
  const { actionId, generation, head } = body;
  const next = patchAction(state, actionId, (action) => ({ ...action, merge: { kind: 'merged', head, seq } }));
  return body.wrote
    ? wrote(next, { actionId, generation, identity: identityOf(state, actionId), seq }, { head })
    : next;
}

function landed(state: ItemState, body: EventOf<'LandingSettled'>): Landing {
  invariant(state.landing.kind === 'reserved', `item ${state.id}: a landing was settled that nobody reserved`);
  const { commit, branch } = state.landing;
  return body.landed ? { kind: 'landed', commit, branch } : { kind: 'none' };
}

const withContract = (state: ItemState, contract: Contract): ItemState => {
  return { ...state, contract, contractVersion: state.contractVersion + 1 };
};

/**
 * A tool call whose end is known is over with its Run; what the Run did decides whether it may be repeated. That one
 * was unknown is a fact for the decider once a person has said what became of it.
 */
function resolved(state: ItemState, { operationId, effect }: EventOf<'OperationResolved'>, { seq }: StoredEvent) {
  const was = state.operations.find(({ id }) => id === operationId);
  const isOver = was?.tool !== undefined && effect !== 'unknown' && state.runs.every(({ id }) => id !== was.runId);
  const operations = isOver
    ? state.operations.filter(({ id }) => id !== operationId)
    : state.operations.map((known) => (known.id === operationId ? { ...known, effect } : known));
  const next = { ...state, operations };
  return was?.effect === 'unknown' ? asFact(next, seq) : next;
}

/** An Action changed in a way that the decider has to hear of. */
const told = (state: ItemState, actionId: string, seq: number, change: (action: ActionState) => ActionState) =>
  asFact(patchAction(state, actionId, change), seq);

type Fold<T extends EventType> = (state: ItemState, body: EventOf<T>, event: StoredEvent) => ItemState;

/** What each event does to the state; a new event type fails to compile until it is here. */
const FOLD: { readonly [T in Exclude<EventType, 'ItemCreated'>]: Fold<T> } = {
  ItemStarted: (state, _, { at, seq }) => asFact({ ...state, lifecycle: 'open', startedAt: at, claimKey: at }, seq),
  ContractEdited: (state, { contract }, { seq }) => asFact(withContract(state, contract), seq),
  ItemHeld: (state, { hold }) => ({ ...state, hold, controlVersion: state.controlVersion + 1 }),
  ItemResumed: (state) => ({ ...without(state, 'hold'), controlVersion: state.controlVersion + 1 }),
  BudgetExtended: (state, { limits }) => ({ ...state, limits, controlVersion: state.controlVersion + 1 }),
  StopRequested: (state) => ({ ...state, lifecycle: 'cancelling' }),
  ItemCancelled: (state, _, { at }) => ({ ...without(state, 'hold'), lifecycle: 'cancelled', endedAt: at }),
  ItemReopened: (state, _, { seq }) => reopened(state, seq),
  ItemCompleted: (state, { result }, { at }) => ({ ...state, lifecycle: 'done', finalResult: result, endedAt: at }),
  ActionAdded: (state, body, { at }) => added(state, body, at),
  ActionReset: (state, body, { at }) => patchAction(state, body.actionId, (action) => reset(state, action, body, at)),
  ActionClosed: (state, { actionId, reason }, { seq }) =>
    told(state, actionId, seq, (action) => closed(action, reason)),
  ActionRetired: (state, { actionId, as }) => patchAction(state, actionId, (action) => ({ ...action, status: as })),
  RunClaimed: claimed,
  RunDispatched: dispatched,
  RunIdled: (state, { runId, idle }) => patchRun(state, runId, { idle }),
  RunSettled: (state, body, { seq }) => settled(state, body, seq),
  LateResultRecorded: (state, { usage }) => ({ ...state, usage: addUsage(state.usage, usage) }),
  ResultMerged: (state, body, { seq }) => merged(state, body, seq),
  MergeConflicted: (state, { actionId, paths, ours, theirs }, { seq }) =>
    told(state, actionId, seq, (action) => ({ ...action, merge: { kind: 'conflict', paths, ours, theirs, seq } })),
  TargetSynced: (state, { head, targetHead: base }, { seq }) =>
    wrote(state, { actionId: TARGET_SYNC, generation: 0, identity: TARGET_SYNC, seq }, { head, base }),
  VerificationAsked: (state, _, { seq }) => ({ ...state, verifyAskedSeq: seq }),
  ResultPublished: (state, { ref, commit }) => ({ ...state, published: { ref, commit } }),
  LandingReserved: (state, { epoch, commit, branch }) => ({
    ...state,
    landing: { kind: 'reserved', epoch, commit, branch },
    landingEpoch: epoch,
  }),
  LandingSettled: (state, body) => ({ ...state, landing: landed(state, body) }),
  DeliveryChanged: (state, { delivery }) => withContract(state, { ...state.contract, delivery }),
  PullRequestOpened: (state, { pull }) => ({ ...state, pull }),
  OperationBegun: (state, { operation }) => ({ ...state, operations: [...state.operations, operation] }),
  OperationResolved: resolved,
  RequestOpened: opened,
  RequestAnswered: answered,
  RequestWithdrawn: withoutRequest,
  GrantGiven: granted,
  GrantUsed: grantUsed,
  MessagePosted: posted,
  TurnOpened: turnOpened,
  TurnAdopted: turnAdopted,
  TurnDecided: turnDecided,
  TurnFailed: turnFailed,
  TurnRetired: turnRetired,
  CompletionDecided: completionDecided,
  CompletionVoided: (state, _, { seq }) => completionVoided(state, seq),
  CallPrepared: prepared,
  CallDispatched: dispatchedCall,
  CallSettled: callSettled,
  CallCorrected: corrected,
  ItemParked: (state, { parked }) => ({ ...state, parked }),
};

/** Folds one event. Total: an event that was written can always be read again. */
export function evolve(state: ItemState | undefined, itemId: string, event: StoredEvent): ItemState {
  const { seq, at, body } = event;
  if (body.type === 'ItemCreated') return createItem(itemId, body, event);
  invariant(state, `item ${itemId}: event ${seq} (${body.type}) has no item before it`);
  invariant(seq === state.version + 1, `item ${itemId}: event ${seq} follows version ${state.version}`);
  const step = FOLD[body.type] as Fold<typeof body.type>;
  return { ...step(state, body, event), version: seq, updatedAt: at };
}

/** Folds a run of events, from nothing or from a snapshot. */
export function fold(itemId: string, events: Iterable<StoredEvent>, from?: ItemState): ItemState | undefined {
  let state = from;
  for (const event of events) state = evolve(state, itemId, event);
  return state;
}
