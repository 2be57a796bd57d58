import type { EventOf, StoredEvent } from '../event.ts';
import type { CoordinatorState, ItemState, OpenTurn } from '../model/index.ts';
import { invariant } from '../rejection.ts';
import { without } from './patch.ts';

const NO_FACTS = { factSeq: 0, decidedThroughSeq: 0, dryTurns: 0, bestProven: 0 } as const;
export const NO_TURNS: CoordinatorState = Object.freeze({ turns: 0, epoch: 0, failures: 0, retryAt: 0, ...NO_FACTS });

const patch = (state: ItemState, change: Partial<CoordinatorState>): ItemState => ({
  ...state,
  coordinator: { ...state.coordinator, ...change },
});

/** Something happened that a Coordinator should decide upon (D17). */
export const asFact = (state: ItemState, seq: number): ItemState => patch(state, { factSeq: seq });

function openTurn({ id, coordinator }: ItemState, turnId: string): OpenTurn {
  const { turn } = coordinator;
  invariant(turn?.id === turnId, `item ${id}: turn ${turnId} is not open`);
  return turn;
}

export const turnOpened = (state: ItemState, { turn }: EventOf<'TurnOpened'>): ItemState =>
  patch(state, { turn, turns: state.coordinator.turns + 1, epoch: turn.epoch });

export const turnAdopted = (state: ItemState, { turnId, epoch, owner }: EventOf<'TurnAdopted'>): ItemState =>
  patch(state, { turn: { ...openTurn(state, turnId), epoch, owner }, epoch });

/** The turn is over, and with it the answers that were kept for it. */
const closed = (state: ItemState, turnId: string, change: Partial<CoordinatorState>): ItemState => ({
  ...state,
  coordinator: { ...without(state.coordinator, 'turn'), ...change },
  calls: state.calls.filter(({ of }) => of.kind !== 'turn' || of.turnId !== turnId),
});

/** What it saw is dealt with; what came meanwhile is not. Its own consequences are no facts to it. */
export function turnDecided(state: ItemState, body: EventOf<'TurnDecided'>): ItemState {
  const { openedSeq } = openTurn(state, body.turnId);
  const next = closed(state, body.turnId, {
    failures: 0,
    retryAt: 0,
    decidedThroughSeq: openedSeq,
    factSeq: body.factSeq,
    dryTurns: body.progressed ? 0 : state.coordinator.dryTurns + 1,
    bestProven: Math.max(state.coordinator.bestProven, body.proven),
  });
  const inbox = next.inbox.filter(({ seq }) => seq > openedSeq);
  if (body.title === undefined) return { ...next, inbox };
  return { ...next, inbox, titlePending: false, contract: { ...next.contract, title: body.title } };
}

export const turnFailed = (state: ItemState, { turnId, retryAt, counted }: EventOf<'TurnFailed'>): ItemState =>
  closed(state, turnId, { retryAt, failures: state.coordinator.failures + (counted ? 1 : 0) });

/** A new beginning, also for the Coordinator; a resume keeps its count (D13, D28). */
export const reopened = (state: ItemState, seq: number): ItemState =>
  patch({ ...without(state, 'endedAt'), lifecycle: 'open' }, { factSeq: seq, failures: 0 });

export const turnRetired = (state: ItemState, { turnId }: EventOf<'TurnRetired'>): ItemState =>
  closed(state, turnId, {});

export const completionDecided = (
  state: ItemState,
  { summary, residualRisks }: EventOf<'CompletionDecided'>,
  { seq }: StoredEvent,
): ItemState => ({ ...state, completion: { summary, residualRisks, seq } });

export const completionVoided = (state: ItemState, seq: number): ItemState => asFact(without(state, 'completion'), seq);
