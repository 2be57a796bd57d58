import type { ItemState } from '../../core/index.ts';
import { isStoreError } from '../../store/index.ts';
import type { ItemSummary, Store } from '../../store/store.ts';
import { executorView } from './action.ts';

/** A card has room for a few; more are not told apart. */
const MOST = 4;

type Executor = ReturnType<typeof executorView>;

/** Who carries out live Runs, each once; those that wait for leave do not work (D16). */
export function atWorkIn({ actions, runs }: Pick<ItemState, 'actions' | 'runs'>): readonly Executor[] {
  const busy = new Set(runs.filter(({ idle }) => !idle).map(({ actionId }) => actionId));
  const all = actions.filter(({ id }) => busy.has(id)).map(({ spec }) => executorView(spec));
  return [...new Map(all.map((each) => [`${each.kind} ${each.who}`, each])).values()].slice(0, MOST);
}

/**
 * Who works for an item of a list. Few items run at a time, and this process has usually folded those: that costs less
 * than a column that every settled Run would write. Of an item that cannot be read the list tells why, and not this.
 */
export async function atWorkOf(store: Store, item: ItemSummary): Promise<readonly Executor[]> {
  if (item.running === 0 || item.quarantined !== undefined) return [];
  try {
    const state = await store.load(item.id);
    return state ? atWorkIn(state) : [];
  } catch (error) {
    if (isStoreError(error) && error.code === 'item_quarantined') return [];
    throw error;
  }
}
