import type { ItemState } from '../model/index.ts';

/**
 * When a Coordinator owes a decision, as far as its own state tells (D17): at once when a turn is open, after the
 * back-off when a person has spoken, or when facts are newer than the last decision and nothing stands in the way.
 * `isQuiet`: nothing runs and nothing else is due. Undefined: none is owed.
 */
export function decisionAt(state: ItemState, isQuiet: boolean): number | undefined {
  const { plan, lifecycle, hold, inbox, requests, coordinator, completion } = state;
  if (plan.kind !== 'coordinated' || lifecycle !== 'open' || hold) return undefined;
  if (coordinator.turn) return 0;
  if (requests.some(({ subject }) => subject.kind === 'call_unknown')) return undefined;
  const at = coordinator.retryAt;
  if (inbox.length > 0) return at;
  const isOwed = coordinator.factSeq > coordinator.decidedThroughSeq && requests.length === 0 && !completion;
  return isOwed && isQuiet ? at : undefined;
}
