import { fold, type ItemState, type StoredEvent } from '../../core/index.ts';
import { encodeEvent } from '../event-codec.ts';
import { project } from '../projection.ts';
import type { Store } from '../store.ts';
import { memoryDriver } from './memory-driver.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { emptyTables } from './tables.ts';

/** A store that repeats what another one told: whatever reads a store reads the other one, as far as it was told. */
export interface Replica {
  readonly store: Store;
  /** The next events of an item, in order and without a gap. */
  readonly take: (itemId: string, events: readonly StoredEvent[]) => void;
}

/** `now` in epoch milliseconds. */
export function openReplica(now: () => number): Replica {
  const tables = emptyTables();
  const driver = memoryDriver(tables, now);
  const states = new Map<string, ItemState>();
  return {
    store: openMemoryStore({ now, tables }),
    take(itemId, events) {
      const before = states.get(itemId);
      const after = fold(itemId, events, before);
      if (!after || events.length === 0) return;
      const batch = { itemId, events: events.map(encodeEvent), changes: project(before, after, events), side: [] };
      driver.write({ batch });
      states.set(itemId, after);
    },
  };
}
