import type { Changes } from '../../store/store.ts';

/** What changed last, up to a bound, so that many readers who stand near the end need not each ask the store. */
export interface RecentChanges {
  /** Up to where it knows. */
  readonly cursor: number;
  add(changes: Changes): void;
  /** The newest version of each item that changed behind `cursor`; undefined when that is too long ago. */
  since(cursor: number): Changes | undefined;
}

interface Stretch extends Changes {
  readonly after: number;
}

export function recentChanges(start: number, maxItems: number): RecentChanges {
  const stretches: Stretch[] = [];
  let known = start;
  let held = 0;
  return {
    get cursor() {
      return known;
    },
    add(changes) {
      stretches.push({ ...changes, after: known });
      known = changes.cursor;
      held += changes.items.length;
      while (held > maxItems && stretches.length > 1) held -= stretches.shift()?.items.length ?? 0;
    },
    since(cursor) {
      if (cursor >= known) return { cursor, items: [] };
      if (cursor < (stretches[0]?.after ?? known)) return undefined;
      const newest = new Map<string, Changes['items'][number]>();
      for (const { cursor: end, items } of stretches) {
        if (end <= cursor) continue;
        for (const item of items)
          newest.set(item.itemId, { ...item, first: newest.get(item.itemId)?.first ?? item.first });
      }
      return { cursor: known, items: [...newest.values()] };
    },
  };
}
