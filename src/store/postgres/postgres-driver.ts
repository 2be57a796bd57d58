import type { Facts, HoldRow, LeaseRow, Resources } from '../../core/index.ts';
import { dayOf } from '../days.ts';
import type { AsyncDriver, StoreOps } from '../ops.ts';
import type { EventRow, SnapshotRow, SubmissionRow } from '../rows.ts';
import { type PgClient, rowsOf } from './pool.ts';
import * as sql from './sql.ts';
import { writeBatch } from './write-rows.ts';

interface LiveCount {
  readonly total: number;
  readonly ofOwner: number;
  readonly ownerAlone: boolean;
}

const NOTHING_CHARGED: Facts['day'] = { tokens: 0, costMicros: 0 };
const NONE_LIVE: LiveCount = { total: 0, ofOwner: 0, ownerAlone: false };

/** Gates first: one order for everybody, head → directory → slots, so that nobody waits in a circle. */
async function passGates(client: PgClient, { holdKey, concurrency }: Resources): Promise<void> {
  if (holdKey !== undefined) await rowsOf(client, sql.GATE_HOLD, holdKey);
  if (concurrency) await rowsOf(client, sql.GATE_SLOTS);
}

async function readFacts(client: PgClient, { resources, owner, at }: StoreOps['facts']['in']): Promise<Facts> {
  await passGates(client, resources);
  const { lease, holdKey, concurrency, day } = resources;
  const [held] = lease === undefined ? [] : await rowsOf<LeaseRow>(client, sql.LEASE_OF, lease);
  const holds = holdKey === undefined ? [] : await rowsOf<HoldRow>(client, sql.HOLDS, holdKey);
  const [waiter] = holdKey === undefined ? [] : await rowsOf<{ itemId: string }>(client, sql.HOLD_WAITER, holdKey);
  const [live] = concurrency ? await rowsOf<LiveCount>(client, sql.LIVE_COUNT, owner) : [];
  const [charged] = day ? await rowsOf<Facts['day']>(client, sql.DAY, dayOf(at)) : [];
  return {
    holds,
    liveRuns: live ?? NONE_LIVE,
    day: charged ?? NOTHING_CHARGED,
    ...(held ? { lease: held } : {}),
    ...(waiter ? { holdWaiter: waiter.itemId } : {}),
  };
}

/**
 * Answers the door from PostgreSQL. With `lock` the head is kept until the transaction ends; a stream that does not
 * exist yet has no row to lock, and the primary key decides instead.
 */
export const postgresDriver = (client: PgClient, lock: boolean): AsyncDriver => ({
  submission: async ({ key }) => (await rowsOf<SubmissionRow>(client, sql.SUBMISSION, key))[0],
  head: async ({ itemId }) => {
    const head = lock ? sql.LOCK_HEAD : sql.HEAD;
    const [row] = await rowsOf<{ version: number; now: number }>(client, head, itemId);
    return row ?? { version: 0, now: 0 };
  },
  snapshot: async ({ itemId }) => (await rowsOf<SnapshotRow>(client, sql.SNAPSHOT, itemId))[0],
  events: ({ itemId, after, through }) => rowsOf<EventRow>(client, sql.EVENTS, itemId, after, through),
  facts: (input) => readFacts(client, input),
  write: async ({ batch }) => {
    await writeBatch(client, batch);
    return undefined;
  },
});
