import type { Facts, Resources } from '../../core/index.ts';
import type { SyncDriver } from '../ops.ts';
import type { Statements } from './statements.ts';
import { writeBatch } from './write-rows.ts';

const NONE_LIVE = { total: 0, ofOwner: 0, ownerAlone: 0 };

function readFacts(s: Statements, { lease, holdKey, concurrency }: Resources, owner: string): Facts {
  const held = lease === undefined ? undefined : s.leaseOf.get(lease);
  const waiter = holdKey === undefined ? undefined : s.holdWaiter.get(holdKey)?.itemId;
  const live = concurrency ? (s.liveCount.get(owner, owner) ?? NONE_LIVE) : NONE_LIVE;
  return {
    holds: holdKey === undefined ? [] : s.holds.all(holdKey),
    liveRuns: { total: live.total, ofOwner: live.ofOwner, ownerAlone: live.ownerAlone === 1 },
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
  facts: ({ resources, owner }) => readFacts(s, resources, owner),
  write: ({ batch }) => void writeBatch(s, batch),
});
