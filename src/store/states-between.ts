import { evolve, type ItemState, invariant, type StoredEvent } from '../core/index.ts';

/**
 * The states between the events of a batch: `states(0)` is the one before the first, `states(n)` the one after the
 * n-th. Folded only as far as somebody asks, and never twice; most batches ask for nothing but their beginning.
 */
export type StatesBetween = (index: number) => ItemState | undefined;

export function statesBetween(
  itemId: string,
  before: ItemState | undefined,
  events: readonly StoredEvent[],
): StatesBetween {
  const states: (ItemState | undefined)[] = [before];
  return (index) => {
    while (states.length <= index) {
      const event = events[states.length - 1];
      invariant(event, `item ${itemId}: a batch of ${events.length} events has no state ${index}`);
      states.push(evolve(states.at(-1), itemId, event));
    }
    return states[index];
  };
}
