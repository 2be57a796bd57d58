import { type Facts, invariant, type SideWrite } from '../../core/index.ts';
import { applyToRows, noRows } from '../apply-change.ts';
import { dayOf } from '../days.ts';
import type { StoreOps, SyncDriver, WriteBatch } from '../ops.ts';
import type { RowChange } from '../rows.ts';
import type { Tables } from './tables.ts';

function readFacts(t: Tables, { resources, owner, at }: StoreOps['facts']['in']): Facts {
  const { lease, holdKey, concurrency, day } = resources;
  const row = lease === undefined ? undefined : t.leases.get(lease);
  const held = row?.owner != null ? { ...row, owner: row.owner } : undefined;
  const waiter = t.waiters.find(({ key, itemId }) => key === holdKey && t.items.get(itemId)?.dueAt != null);
  const live = concurrency ? [...t.leases.values()].filter((candidate) => candidate.runId !== null) : [];
  const own = live.filter((candidate) => candidate.owner === owner);
  const busy = (leases: typeof live): number => leases.filter(({ idle }) => !idle).length;
  return {
    holds: [...t.holds.values()].filter((hold) => hold.key === holdKey).sort((a, b) => (a.runId < b.runId ? -1 : 1)),
    liveRuns: { total: busy(live), ofOwner: busy(own), ownerAlone: own.some((candidate) => candidate.alone) },
    day: (day ? t.days.get(dayOf(at)) : undefined) ?? { tokens: 0, costMicros: 0 },
    ...(held ? { lease: held } : {}),
    ...(waiter ? { holdWaiter: waiter.itemId } : {}),
  };
}

function applyChange(t: Tables, change: RowChange): void {
  switch (change.kind) {
    case 'item_put':
      t.items.set(change.row.id, change.row);
      return;
    case 'text_put':
      t.texts.set(change.row.itemId, change.row);
      return;
    case 'lane_count':
      return;
    default: {
      const rows = t.rows.get(change.row.itemId) ?? noRows();
      t.rows.set(change.row.itemId, rows);
      applyToRows(rows, change);
    }
  }
}

/** What a lease is when nobody holds it. */
export const LET_GO = { owner: null, itemId: null, runId: null, alone: false, idle: false } as const;

/** The row stays behind without an owner and keeps the epoch. */
function dropLease(t: Tables, resource: string, epoch: number): void {
  const row = t.leases.get(resource);
  if (row?.epoch !== epoch) return;
  t.leases.set(resource, { ...row, ...LET_GO });
}

function idleLease(t: Tables, resource: string, epoch: number, idle: boolean): void {
  const row = t.leases.get(resource);
  if (row?.epoch === epoch) t.leases.set(resource, { ...row, idle });
}

function chargeDay(t: Tables, { at, tokens, costMicros }: Extract<SideWrite, { kind: 'day_charge' }>): void {
  const known = t.days.get(dayOf(at)) ?? { tokens: 0, costMicros: 0 };
  t.days.set(dayOf(at), { tokens: known.tokens + tokens, costMicros: known.costMicros + costMicros });
}

function unwait(t: Tables, key: string, itemId: string): void {
  const place = t.waiters.findIndex((waiter) => waiter.key === key && waiter.itemId === itemId);
  if (place >= 0) t.waiters.splice(place, 1);
}

function applySide(t: Tables, write: SideWrite): void {
  switch (write.kind) {
    case 'lease_put': {
      const { lease, itemId, runId, alone } = write;
      const known = t.leases.get(lease.resource)?.epoch ?? 0;
      invariant(lease.epoch > known, `lease ${lease.resource} has reached epoch ${known} already`);
      t.leases.set(lease.resource, { ...lease, itemId, runId, alone, idle: false });
      return;
    }
    case 'lease_drop':
      dropLease(t, write.resource, write.epoch);
      return;
    case 'lease_idle':
      idleLease(t, write.resource, write.epoch, write.idle);
      return;
    case 'day_charge':
      chargeDay(t, write);
      return;
    case 'hold_put':
      t.holds.set(write.hold.runId, write.hold);
      return;
    case 'hold_drop':
      t.holds.delete(write.runId);
      return;
    case 'hold_wait': {
      const { key, itemId } = write;
      const waits = t.waiters.some((waiter) => waiter.key === key && waiter.itemId === itemId);
      if (!waits) t.waiters.push({ key, itemId });
      return;
    }
    case 'hold_unwait':
      unwait(t, write.key, write.itemId);
  }
}

function writeBatch(t: Tables, { itemId, events, changes, side, snapshot, submission }: WriteBatch): void {
  const stream = t.events.get(itemId) ?? [];
  if (events.length > 0) t.events.set(itemId, stream);
  for (const event of events) {
    invariant(event.seq === stream.length + 1, `item ${itemId} has event ${event.seq} already`);
    stream.push(event);
    t.changes.push({ itemId, seq: event.seq });
  }
  for (const change of changes) applyChange(t, change);
  for (const write of side) applySide(t, write);
  if (snapshot) t.snapshots.set(itemId, snapshot);
  if (submission) t.submissions.set(submission.key, submission);
}

/** Answers the door from maps. A program runs in one turn of the event loop, so nothing comes in between. */
export const memoryDriver = (t: Tables, now: () => number): SyncDriver => ({
  submission: ({ key }) => t.submissions.get(key),
  head: ({ itemId }) => ({ version: t.events.get(itemId)?.at(-1)?.seq ?? 0, now: now() }),
  snapshot: ({ itemId }) => t.snapshots.get(itemId),
  events: ({ itemId, after, through }) =>
    (t.events.get(itemId) ?? []).filter((event) => event.seq > after && event.seq <= through),
  facts: (input) => readFacts(t, input),
  write: ({ batch }) => {
    writeBatch(t, batch);
    return undefined;
  },
});
