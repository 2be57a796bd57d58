import { type Contract, evolve, type ItemState } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';

/**
 * The contract as it last was under a version; undefined where it never had that one. Folds the stream up to there:
 * for questions that are rarely asked.
 */
export async function contractAt(store: Store, itemId: string, version: number): Promise<Contract | undefined> {
  let state: ItemState | undefined;
  let found: Contract | undefined;
  for (;;) {
    const events = await store.events(itemId, { after: state?.version ?? 0 });
    for (const event of events) {
      state = evolve(state, itemId, event);
      if (state.contractVersion > version) return found;
      if (state.contractVersion === version) found = state.contract;
    }
    if (events.length === 0) return found;
  }
}
