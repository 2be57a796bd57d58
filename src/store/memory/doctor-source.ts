import { keyed } from '../apply-change.ts';
import type { DoctorSource, Mending } from '../doctor.ts';
import type { ItemView } from '../inspect-item.ts';
import { LET_GO } from './memory-driver.ts';
import type { Tables } from './tables.ts';

function readView(t: Tables, itemId: string): ItemView {
  return {
    itemId,
    events: [...(t.events.get(itemId) ?? [])],
    item: t.items.get(itemId),
    text: t.texts.get(itemId),
    runs: [...(t.rows.get(itemId)?.runs.values() ?? [])],
    entries: [...(t.rows.get(itemId)?.entries.values() ?? [])],
    calls: [...(t.rows.get(itemId)?.calls.values() ?? [])],
    snapshot: t.snapshots.get(itemId),
    leases: [...t.leases.values()].flatMap((lease) =>
      lease.itemId === itemId && lease.runId !== null && lease.owner !== null
        ? [{ ...lease, itemId, runId: lease.runId, owner: lease.owner }]
        : [],
    ),
    holds: [...t.holds.values()].filter((hold) => hold.itemId === itemId),
    quarantined: t.quarantined.get(itemId),
  };
}

function mend(t: Tables, view: ItemView, mending: Mending, now: number): void {
  const { itemId } = view;
  if (mending.type === 'quarantine') {
    t.quarantined.set(itemId, mending.reason);
    return;
  }
  for (const lease of view.leases) {
    t.leases.set(lease.resource, { ...lease, ...LET_GO });
  }
  for (const hold of view.holds) t.holds.delete(hold.runId);
  if (mending.type === 'free') return;
  const { expected, dropSnapshot } = mending;
  if (dropSnapshot) t.snapshots.delete(itemId);
  t.items.set(itemId, expected.item);
  t.texts.set(itemId, expected.text);
  t.rows.set(itemId, keyed(expected));
  for (const lease of expected.leases) t.leases.set(lease.resource, { ...lease, expiresAt: now });
  for (const hold of expected.holds) t.holds.set(hold.runId, hold);
  t.quarantined.delete(itemId);
}

/** The doctor's way into maps; counters are not stored here, so they are never wrong. */
export const memoryDoctorSource = (t: Tables, now: () => number): DoctorSource => ({
  nextItem: async (after) => [...new Set([...t.events.keys(), ...t.items.keys()])].filter((id) => id > after).sort()[0],
  view: async (itemId) => readView(t, itemId),
  namedBySides: async () => [...t.holds.values()].map((hold) => hold.itemId),
  laneCounts: async () => ({ stored: [], counted: [] }),
  damage: async () => [],
  mend: async (itemId, plan) => {
    const view = readView(t, itemId);
    mend(t, view, plan(view), now());
  },
  recount: async () => {},
});
