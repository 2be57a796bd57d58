import { evolve, type ItemState, invariant, type StoredEvent } from '../core/index.ts';

/** One event with the states around it, which are folded when somebody asks for them. */
export interface Step {
  readonly itemId: string;
  readonly event: StoredEvent;
  readonly before: () => ItemState | undefined;
  readonly after: () => ItemState | undefined;
}

/**
 * The events of a batch, one by one. States between them are folded only as far as somebody asks, and never twice; most
 * batches ask for nothing but their beginning.
 */
export function stepsOf(
  itemId: string,
  before: ItemState | undefined,
  events: readonly StoredEvent[],
): readonly Step[] {
  const states: (ItemState | undefined)[] = [before];
  const stateAt = (index: number): ItemState | undefined => {
    while (states.length <= index) {
      const event = events[states.length - 1];
      invariant(event, `item ${itemId}: a batch of ${events.length} events has no state ${index}`);
      states.push(evolve(states.at(-1), itemId, event));
    }
    return states[index];
  };
  return events.map((event, index) => ({
    itemId,
    event,
    before: () => stateAt(index),
    after: () => stateAt(index + 1),
  }));
}
