import type { MemoryView } from '../../context/mainline-input.ts';
import type { ItemState } from '../../core/index.ts';
import type { World } from '../world.ts';

const NEWEST = 12;

/** Results of earlier done items in the same directory, newest first (D35): dated references, not instructions. */
export async function memoryOf({ store }: World, state: ItemState): Promise<readonly MemoryView[]> {
  if (!state.reuseMemory) return [];
  const { items } = await store.list({ lane: 'done', directory: state.contract.directory, limit: NEWEST * 2 });
  const loaded = await Promise.all(
    items.map(({ id }) => (id === state.id ? undefined : store.load(id).catch(() => undefined))),
  );
  return loaded
    .flatMap((item): readonly MemoryView[] => {
      if (item?.lifecycle !== 'done' || !item.finalResult || !item.reuseMemory) return [];
      const { title, goal } = item.contract;
      const summary = item.finalResult.summary;
      return [
        { itemId: item.id, title: title || goal.slice(0, 80), endedAt: item.endedAt ?? 0, type: 'item', summary },
      ];
    })
    .slice(0, NEWEST);
}
