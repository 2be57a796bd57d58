import type { EventBody, EventType, StoredEvent } from '../event.ts';
import type { ItemState } from '../model/item.ts';
import { invariant } from '../rejection.ts';
import { evolveAction } from './action-events.ts';
import { evolveDelivery } from './delivery-events.ts';
import { createItem, evolveItem } from './item-events.ts';
import { evolveRun } from './run-events.ts';

/** Which family folds an event; a new event type fails to compile until it has one. */
const FAMILY: Readonly<Record<EventType, 'item' | 'action' | 'run' | 'delivery'>> = {
  ItemCreated: 'item',
  ItemStarted: 'item',
  ContractEdited: 'item',
  ItemHeld: 'item',
  ItemResumed: 'item',
  BudgetExtended: 'item',
  StopRequested: 'item',
  ItemCancelled: 'item',
  ItemReopened: 'item',
  ItemCompleted: 'item',
  RequestOpened: 'item',
  RequestAnswered: 'item',
  RequestWithdrawn: 'item',
  VerificationAsked: 'item',
  ActionAdded: 'action',
  ActionReset: 'action',
  ActionClosed: 'action',
  ActionRetired: 'action',
  RunClaimed: 'run',
  RunDispatched: 'run',
  RunSettled: 'run',
  OperationResolved: 'run',
  ResultMerged: 'delivery',
  MergeConflicted: 'delivery',
  TargetSynced: 'delivery',
  ResultPublished: 'delivery',
  LandingReserved: 'delivery',
  LandingSettled: 'delivery',
  DeliveryChanged: 'delivery',
};

const FOLD = { item: evolveItem, action: evolveAction, run: evolveRun, delivery: evolveDelivery } as const;

/** Folds one event. Total: an event that was written can always be read again. */
export function evolve(state: ItemState | undefined, itemId: string, event: StoredEvent): ItemState {
  const body: EventBody = event.body;
  if (body.type === 'ItemCreated') return createItem(itemId, event, body);
  invariant(state, `item ${itemId}: event ${event.seq} (${body.type}) has no item before it`);
  invariant(event.seq === state.version + 1, `item ${itemId}: event ${event.seq} follows version ${state.version}`);
  const next = FOLD[FAMILY[body.type]](state, body, event);
  return { ...next, version: event.seq, updatedAt: event.at };
}

/** Folds a run of events, from nothing or from a snapshot. */
export function fold(itemId: string, events: Iterable<StoredEvent>, from?: ItemState): ItemState | undefined {
  let state = from;
  for (const event of events) state = evolve(state, itemId, event);
  return state;
}
