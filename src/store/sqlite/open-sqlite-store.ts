import { createHash } from 'node:crypto';
import { type Command, type ItemState, isRejection, type Rejection, reject } from '../../core/index.ts';
import { steadyClock } from '../clock.ts';
import { commitFeed } from '../commit-feed.ts';
import { examine, mendAll } from '../doctor.ts';
import { type DoorEnv, door, type Executed, loadItem, type Policy } from '../door.ts';
import { runSync } from '../ops.ts';
import { DEFAULT_PATIENCE, type Patience } from '../retry.ts';
import { type CacheBounds, DEFAULT_CACHE, stateCache } from '../state-cache.ts';
import type { Store } from '../store.ts';
import { isStoreError, StoreError } from '../store-error.ts';
import { type Connection, connect, type Durability } from './connection.ts';
import { contentMethods } from './content.ts';
import { sqliteDoctorSource } from './doctor-source.ts';
import type { Migration } from './migration.ts';
import { quarantine } from './quarantine.ts';
import { readMethods } from './read-methods.ts';
import { leaseMethods, processMethods, settingsMethods } from './side-methods.ts';
import { sqliteDriver } from './sqlite-driver.ts';
import type { StatementHook } from './statements.ts';

export interface SqliteStoreOptions {
  /** The database file; its folder is created. */
  readonly path: string;
  /** `full`, the default, survives a power cut; `normal` may lose the last commits to one, never to a crash. */
  readonly durability?: Durability;
  /** Opens what is there, creates and migrates nothing. */
  readonly readOnly?: boolean;
  readonly mustExist?: boolean;
  /** Asked for every command, so that settings take effect at once. */
  readonly policy?: () => Policy;
  /** Epoch milliseconds; guarded against steps backwards. */
  readonly now?: () => number;
  readonly patience?: Partial<Patience>;
  readonly cache?: CacheBounds;
  readonly onListenerError?: (error: unknown) => void;
  /** For tests: another history of the schema, and faults at chosen statements. */
  readonly migrations?: readonly Migration[];
  readonly onStatement?: StatementHook;
}

/** What only a file can offer. */
export interface SqliteStore extends Store {
  /** Size of the write-ahead log, and whether it was cut because it was larger than `maxBytes`. */
  tendWal(maxBytes: number): Promise<{ readonly walBytes: number; readonly truncated: boolean }>;
}

export const DEFAULT_POLICY: Policy = Object.freeze({ concurrency: 4 });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const busy = (): Rejection =>
  reject('store_busy', 'Other processes kept the store locked for the whole waiting time.', {
    next: 'Repeat the command.',
  });

interface Parts {
  readonly connection: Connection;
  readonly env: DoorEnv;
  readonly cache: ReturnType<typeof stateCache>;
  readonly feed: ReturnType<typeof commitFeed>;
  readonly now: () => number;
}

/** Records that an item cannot be read. A store that cannot take the note has said worse already. */
async function noteQuarantine(parts: Parts, itemId: string, reason: string): Promise<void> {
  const { connection, now, cache } = parts;
  const s = connection.statements;
  cache.drop(itemId);
  try {
    if ((await connection.read(() => s.quarantineOf.get(itemId)))?.reason === reason) return;
    await connection.write(() => quarantine(s, itemId, reason, now()));
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

function executeWith(parts: Parts, command: Command): Promise<Executed | Rejection> {
  const { connection, env, cache, feed, now } = parts;
  const driver = sqliteDriver(connection.statements, now);
  const attempt = connection.write(() => runSync(door(command, env), driver));
  return attempt.then(
    async ({ answer, chars }) => {
      if (isRejection(answer)) {
        if (answer.code === 'item_quarantined') {
          await noteQuarantine(parts, command.itemId, answer.found ?? answer.message);
        }
        return answer;
      }
      cache.put(answer.state, chars);
      if (!answer.replayed) feed.publish(answer.state, answer.events);
      return answer;
    },
    (error: unknown) => {
      // The state that was to be written may or may not be: the next read finds out from the file.
      cache.drop(command.itemId);
      if (isStoreError(error) && error.code === 'store_busy') return busy();
      throw error;
    },
  );
}

async function loadWith(parts: Parts, itemId: string): Promise<ItemState | undefined> {
  const { connection, cache, now } = parts;
  const driver = sqliteDriver(connection.statements, now);
  const { answer, chars } = await connection.read(() => runSync(loadItem(itemId, cache.get(itemId)), driver));
  if (answer === undefined) return undefined;
  if (!isRejection(answer)) {
    if (chars > 0) cache.put(answer, chars);
    return answer;
  }
  await noteQuarantine(parts, itemId, answer.found ?? answer.message);
  throw new StoreError('item_quarantined', answer.message);
}

async function tendWal(connection: Connection, maxBytes: number) {
  const walBytes = connection.walBytes();
  const truncated = walBytes > maxBytes && (await connection.truncateWal());
  return { walBytes, truncated };
}

/**
 * Opens a store in one SQLite file. Several processes may do so at once: every command is one `BEGIN IMMEDIATE`,
 * waiting for the lock never blocks the thread, and states cached here are checked against the file's head.
 * Throws `StoreError`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const now = steadyClock(options.now ?? Date.now);
  const policy = options.policy ?? (() => DEFAULT_POLICY);
  const { migrations, onStatement } = options;
  const connection = await connect({
    path: options.path,
    durability: options.durability ?? 'full',
    readOnly: options.readOnly ?? false,
    mustExist: options.mustExist ?? false,
    patience: { ...DEFAULT_PATIENCE, ...options.patience },
    now,
    ...(migrations ? { migrations } : {}),
    ...(onStatement ? { onStatement } : {}),
  });
  const cache = stateCache(options.cache ?? DEFAULT_CACHE);
  const feed = commitFeed(options.onListenerError);
  const env: DoorEnv = {
    hash: sha256,
    get policy() {
      return policy();
    },
    cached: cache.get,
  };
  const parts: Parts = { connection, env, cache, feed, now };
  const source = sqliteDoctorSource(connection, now);
  return {
    execute: (command) => executeWith(parts, command),
    load: (itemId) => loadWith(parts, itemId),
    ...readMethods(connection),
    ...leaseMethods(connection, now),
    ...processMethods(connection, now),
    ...contentMethods(connection, now),
    ...settingsMethods(connection),
    onCommit: feed.add,
    doctor: () => examine(source),
    repair: () => mendAll(source),
    backup: connection.backup,
    close: async () => connection.close(),
    tendWal: (maxBytes) => tendWal(connection, maxBytes),
  };
}
