import type { Facts } from '../../core/index.ts';
import { dayOf } from '../days.ts';
import type { StoreOps, SyncDriver } from '../ops.ts';
import type { Statements } from './statements.ts';
import { writeBatch } from './write-rows.ts';

const NONE_LIVE = { total: 0, ofOwner: 0, ownerAlone: 0 };
const NOTHING_CHARGED: Facts['day'] = { tokens: 0, costMicros: 0 };

function readFacts(s: Statements, { resources, owner, at }: StoreOps['facts']['in']): Facts {
  const { lease, holdKey, concurrency, day } = resources;
  const held = lease === undefined ? undefined : s.leaseOf.get(lease);
  const waiter = holdKey === undefined ? undefined : s.holdWaiter.get(holdKey)?.itemId;
  const live = concurrency ? (s.liveCount.get(owner, owner) ?? NONE_LIVE) : NONE_LIVE;
  return {
    holds: holdKey === undefined ? [] : s.holds.all(holdKey),
    liveRuns: { total: live.total, ofOwner: live.ofOwner, ownerAlone: live.ownerAlone === 1 },
    day: (day ? s.day.get(dayOf(at)) : undefined) ?? NOTHING_CHARGED,
    ...(held ? { lease: held } : {}),
    ...(waiter === undefined ? {} : { holdWaiter: waiter }),
  };
}

/** Answers the door from SQLite, inside whatever transaction the caller has begun. */
export const sqliteDriver = (s: Statements, now: () => number): SyncDriver => ({
  submission: ({ key }) => s.submission.get(key),
  head: ({ itemId }) => ({ version: s.head.get(itemId)?.version ?? 0, now: now() }),
  snapshot: ({ itemId }) => s.snapshot.get(itemId),
  events: ({ itemId, after, through }) => s.events.all(itemId, after, through),
  facts: (input) => readFacts(s, input),
  write: ({ batch }) => void writeBatch(s, batch),
});
