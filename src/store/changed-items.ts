import type { Changes } from './store.ts';

/** Events in the order of commits become the items that they changed, each once. */
export function changedItems(events: readonly { readonly itemId: string; readonly seq: number }[]): Changes['items'] {
  const items = new Map<string, Changes['items'][number]>();
  for (const { itemId, seq } of events) {
    items.set(itemId, { itemId, first: items.get(itemId)?.first ?? seq, version: seq });
  }
  return [...items.values()];
}
