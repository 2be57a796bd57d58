import { type Command, isRejection, NO_USAGE, type Rejection, reject, type Usage } from '../../core/index.ts';
import { commitFeed } from '../commit-feed.ts';
import { type DoorEnv, type DoorResult, door, type Executed, loadItem } from '../door.ts';
import { decodeEvent } from '../event-codec.ts';
import { runAsync } from '../ops.ts';
import { CALLS_LIMIT, ENTRIES_LIMIT } from '../read-limits.ts';
import { DEFAULT_PATIENCE, type Patience, retryWhile } from '../retry.ts';
import type { EventRow, RunRow, SubmissionRow } from '../rows.ts';
import { type Around, doorEnv, finishCommand, finishLoad, type PolicyChoice } from '../run-command.ts';
import { sha256Hex, toBytes } from '../sha256.ts';
import { type CacheBounds, DEFAULT_CACHE, stateCache } from '../state-cache.ts';
import type { ContentRef, DueItem, RunLease, Store } from '../store.ts';
import { isStoreError, StoreError } from '../store-error.ts';
import type { CallRow } from '../talk-rows.ts';
import { entryRow, type StoredEntry } from '../talk-values.ts';
import {
  change,
  inTransaction,
  isContended,
  type PgClient,
  type PgPool,
  rowsOf,
  surviveLostConnections,
  toStoreError,
} from './pool.ts';
import { postgresDriver } from './postgres-driver.ts';
import { SCHEMA_STEPS } from './schema.ts';
import * as sql from './sql.ts';

export interface PostgresStoreOptions {
  /** A pool of the `pg` package, or anything of its shape. It stays the caller's: `close` does not end it. */
  readonly pool: PgPool;
  readonly policy?: () => PolicyChoice;
  readonly patience?: Partial<Patience>;
  readonly cache?: CacheBounds;
  readonly onListenerError?: (error: unknown) => void;
}

/** The part of a store that PostgreSQL serves so far: everything a worker needs to claim, run and settle. */
export type PostgresStore = Pick<
  Store,
  | 'execute'
  | 'executeWith'
  | 'load'
  | 'submitted'
  | 'events'
  | 'runs'
  | 'run'
  | 'entries'
  | 'calls'
  | 'call'
  | 'putContent'
  | 'getContent'
  | 'dueItems'
  | 'nextDueAt'
  | 'acquireLease'
  | 'renewLease'
  | 'releaseLease'
  | 'expiredRuns'
  | 'liveRuns'
  | 'onCommit'
  | 'close'
>;

async function createSchema(client: PgClient): Promise<void> {
  await rowsOf(client, sql.LOCK_SCHEMA);
  const [ledger] = await rowsOf<{ known: boolean }>(client, sql.HAS_LEDGER);
  const [row] = ledger?.known ? await rowsOf<{ version: number }>(client, sql.SCHEMA_VERSIONS) : [];
  const version = row?.version ?? 0;
  if (version > SCHEMA_STEPS.length) {
    throw new StoreError('store_newer_schema', `The database has schema ${version}; upgrade this program.`);
  }
  for (const text of SCHEMA_STEPS.slice(version)) await client.query({ text });
}

const typed = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw isContended(error) ? error : toStoreError(error);
  }
};

async function putContent(client: Pick<PgClient, 'query'>, body: Uint8Array | string): Promise<ContentRef> {
  const bytes = toBytes(body);
  const hash = sha256Hex(bytes);
  await change(client, sql.PUT_CONTENT, hash, bytes.byteLength, bytes);
  return { hash, bytes: bytes.byteLength };
}

/** Runs the door in one transaction, again when somebody else was faster: then there is something new to read. */
async function executeOn(
  pool: PgPool,
  env: DoorEnv,
  around: Around,
  patience: Patience,
  command: Command,
  contents: readonly (Uint8Array | string)[],
): Promise<Executed | Rejection> {
  const work = async (client: PgClient): Promise<DoorResult> => {
    const answered = await runAsync(door(command, env), postgresDriver(client, true));
    if (isRejection(answered.answer)) return answered;
    for (const body of contents) await putContent(client, body);
    return answered;
  };
  const attempt = () => typed(() => inTransaction(pool, work));
  let result: DoorResult;
  try {
    result = await retryWhile(attempt, isContended, patience);
  } catch (error) {
    around.cache.drop(command.itemId);
    const busy = isContended(error) || (isStoreError(error) && error.code === 'store_busy');
    if (!busy) throw error;
    return reject('store_busy', 'The database was contended for the whole waiting time.', {
      next: 'Repeat the command.',
    });
  }
  return finishCommand(around, command, result);
}

/** A Run's row as it grew: claimed, dispatched, ended. */
interface RunParts {
  readonly claimed: string;
  readonly dispatched: string | null;
  readonly ended: string | null;
}

/** What rows of the first schema lack. */
const NO_AGENT: Pick<RunRow, 'agent'> = { agent: null };
const withMoney = (usage: Usage | null): Usage | null => usage && { ...NO_USAGE, ...usage };

function runRow({ claimed, dispatched, ended }: RunParts): RunRow {
  const row = {
    ...NO_AGENT,
    ...(JSON.parse(claimed) as RunRow),
    ...(JSON.parse(dispatched ?? '{}') as Partial<RunRow>),
    ...(JSON.parse(ended ?? '{}') as Partial<RunRow>),
  };
  return { ...row, usage: withMoney(row.usage) };
}

/** Above every `seq` that an `int` can hold but one. */
const MAX_SEQ = 2_147_483_647;

type ReadMethods = Pick<PostgresStore, 'submitted' | 'events' | 'runs' | 'run' | 'dueItems' | 'nextDueAt'>;

const readMethods = (pool: PgPool): ReadMethods => ({
  submitted: (key) => typed(async () => (await rowsOf<SubmissionRow>(pool, sql.SUBMISSION, key))[0]?.itemId),
  events: (itemId, { after = 0, limit = 1_000, types } = {}) =>
    typed(async () => {
      const rows =
        types === undefined
          ? await rowsOf<EventRow>(pool, sql.EVENTS_PAGE, itemId, after, limit)
          : await rowsOf<EventRow>(pool, sql.EVENTS_OF_TYPES, itemId, after, types, limit);
      return rows.map((row) => {
        const decoded = decodeEvent(row);
        if (decoded.type === 'decoded') return decoded.event;
        throw new StoreError('item_quarantined', `Item ${itemId} cannot be read: ${decoded.reason}.`);
      });
    }),
  runs: (itemId, { actionId, before = MAX_SEQ, limit = 100 } = {}) =>
    typed(async () => {
      const rows =
        actionId === undefined
          ? await rowsOf<RunParts>(pool, sql.RUNS, itemId, limit, before)
          : await rowsOf<RunParts>(pool, sql.RUNS_OF_ACTION, itemId, limit, before, actionId);
      return rows.map(runRow);
    }),
  run: (itemId, runId) =>
    typed(async () => {
      const [row] = await rowsOf<RunParts>(pool, sql.RUN_ROW, itemId, runId);
      return row && runRow(row);
    }),
  dueItems: ({ now, limit, after }) =>
    typed(() =>
      rowsOf<DueItem>(pool, sql.DUE_ITEMS, now, after?.claimKey ?? Number.MIN_SAFE_INTEGER, after?.itemId ?? '', limit),
    ),
  nextDueAt: (now) => typed(async () => (await rowsOf<{ at: number | null }>(pool, sql.NEXT_DUE, now))[0]?.at ?? null),
});

type TalkMethods = Pick<PostgresStore, 'entries' | 'calls' | 'call'>;

const talkMethods = (pool: PgPool): TalkMethods => ({
  entries: (itemId, { after, before = MAX_SEQ, limit = ENTRIES_LIMIT } = {}) =>
    typed(async () => {
      const rows =
        after === undefined
          ? (await rowsOf<StoredEntry>(pool, sql.ENTRIES_BEFORE, itemId, before, limit)).toReversed()
          : await rowsOf<StoredEntry>(pool, sql.ENTRIES_BEHIND, itemId, after, before, limit);
      return rows.map(entryRow);
    }),
  calls: (itemId, { ownerId, before = MAX_SEQ, limit = CALLS_LIMIT } = {}) =>
    typed(() =>
      ownerId === undefined
        ? rowsOf<CallRow>(pool, sql.CALLS, itemId, before, limit)
        : rowsOf<CallRow>(pool, sql.CALLS_OF_OWNER, itemId, ownerId, before, limit),
    ),
  call: (itemId, callId) => typed(async () => (await rowsOf<CallRow>(pool, sql.CALL_ROW, itemId, callId))[0]),
});

type ContentMethods = Pick<PostgresStore, 'putContent' | 'getContent'>;

const contentMethods = (pool: PgPool): ContentMethods => ({
  putContent: (body) => typed(() => putContent(pool, body)),
  getContent: (hash) => typed(async () => (await rowsOf<{ body: Uint8Array }>(pool, sql.GET_CONTENT, hash))[0]?.body),
});

type LeaseMethods = Pick<PostgresStore, 'acquireLease' | 'renewLease' | 'releaseLease' | 'expiredRuns' | 'liveRuns'>;

/** Leases by the database's clock only: what a worker thinks of the time does not matter. */
const leaseMethods = (pool: PgPool): LeaseMethods => ({
  acquireLease: (resource, owner, ttlMs) =>
    typed(async () => (await rowsOf<{ epoch: number }>(pool, sql.ACQUIRE_LEASE, resource, owner, ttlMs))[0]?.epoch),
  renewLease: (resource, owner, epoch, ttlMs) =>
    typed(async () => (await change(pool, sql.RENEW_LEASE, resource, owner, epoch, ttlMs)) === 1),
  releaseLease: (resource, owner, epoch) =>
    typed(async () => void (await change(pool, sql.RELEASE_LEASE, resource, owner, epoch))),
  expiredRuns: ({ limit }) => typed(() => rowsOf<RunLease>(pool, sql.EXPIRED_RUNS, limit)),
  liveRuns: () => typed(() => rowsOf<RunLease>(pool, sql.LIVE_RUNS)),
});

/**
 * Opens a store in a PostgreSQL database and creates its schema. READ COMMITTED; the head of a stream is locked by
 * row, directories and slots by advisory locks that end with the transaction. Throws `StoreError`.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { pool } = options;
  surviveLostConnections(pool);
  await typed(() => inTransaction(pool, createSchema));
  const cache = stateCache(options.cache ?? DEFAULT_CACHE);
  const env = doorEnv(cache, options.policy);
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  const around: Around = {
    cache,
    feed: commitFeed(options.onListenerError),
    quarantine: async (itemId, reason) => void (await typed(() => change(pool, sql.QUARANTINE, itemId, reason))),
  };
  return {
    execute: (command) => executeOn(pool, env, around, patience, command, []),
    executeWith: (command, contents) => executeOn(pool, env, around, patience, command, contents),
    load: async (itemId) => {
      const work = (client: PgClient) => runAsync(loadItem(itemId, cache.get(itemId)), postgresDriver(client, false));
      return finishLoad(around, itemId, await typed(() => inTransaction(pool, work)));
    },
    ...readMethods(pool),
    ...talkMethods(pool),
    ...contentMethods(pool),
    ...leaseMethods(pool),
    onCommit: around.feed.add,
    close: async () => {},
  };
}
