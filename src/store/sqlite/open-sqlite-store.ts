import { type Command, isRejection, type Rejection, reject } from '../../core/index.ts';
import { steadyClock } from '../clock.ts';
import { commitFeed } from '../commit-feed.ts';
import { examine, mendAll } from '../doctor.ts';
import { type DoorEnv, type DoorResult, door, type Executed, loadItem } from '../door.ts';
import { runSync, type SyncDriver } from '../ops.ts';
import { DEFAULT_PATIENCE, type Patience } from '../retry.ts';
import { type Around, doorEnv, finishCommand, finishLoad, type PolicyChoice } from '../run-command.ts';
import { type CacheBounds, DEFAULT_CACHE, stateCache } from '../state-cache.ts';
import type { Store } from '../store.ts';
import { isStoreError } from '../store-error.ts';
import type { CheckpointBounds } from './checkpointer.ts';
import { type Connection, connect, type Durability } from './connection.ts';
import { bodyOf, contentMethods, putBody } from './content.ts';
import { sqliteDoctorSource } from './doctor-source.ts';
import type { Migration } from './migration.ts';
import { quarantine } from './quarantine.ts';
import { readMethods } from './read-methods.ts';
import { recordMethods } from './record-methods.ts';
import { leaseMethods, processMethods, settingsMethods } from './side-methods.ts';
import { sqliteDriver } from './sqlite-driver.ts';
import type { StatementHook } from './statements.ts';
import { talkMethods } from './talk-methods.ts';

export interface SqliteStoreOptions {
  /** The database file, `workcenter.db` in the data directory; its folder is created. */
  readonly path: string;
  /** `full`, the default, survives a power cut; `normal` may lose the last commits to one, never to a crash. */
  readonly durability?: Durability;
  /** Opens what is there, creates and migrates nothing. */
  readonly readOnly?: boolean;
  readonly mustExist?: boolean;
  /** Asked for every command, so that settings take effect at once. */
  readonly policy?: () => PolicyChoice;
  /** Epoch milliseconds; guarded against steps backwards. */
  readonly now?: () => number;
  readonly patience?: Partial<Patience>;
  readonly cache?: CacheBounds;
  readonly onListenerError?: (error: unknown) => void;
  /** For tests: another history of the schema, faults at chosen statements, a log that is tended early. */
  readonly migrations?: readonly Migration[];
  readonly onStatement?: StatementHook;
  readonly checkpoints?: CheckpointBounds;
}

/** What only a file can offer. */
export interface SqliteStore extends Store {
  /** Size of the write-ahead log, and whether it was cut because it was larger than `maxBytes`. */
  tendWal(maxBytes: number): Promise<{ readonly walBytes: number; readonly truncated: boolean }>;
}

const busy = (): Rejection =>
  reject('store_busy', 'Other processes kept the store locked for the whole waiting time.', {
    next: 'Repeat the command.',
  });

/** Records that an item cannot be read. A store that cannot take the note has said worse already. */
async function noteQuarantine(
  connection: Connection,
  now: () => number,
  itemId: string,
  reason: string,
): Promise<void> {
  const s = connection.statements;
  try {
    if ((await connection.read(() => s.quarantineOf.get(itemId)))?.reason === reason) return;
    await connection.write(() => quarantine(s, itemId, reason, now()));
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

/** What a command is carried out with. */
interface Doorway {
  readonly connection: Connection;
  readonly driver: SyncDriver;
  readonly env: DoorEnv;
  readonly around: Around;
  readonly now: () => number;
}

type Contents = Parameters<Store['executeWith']>[1];

/** Runs the door in one transaction. What the store cannot do is thrown; being busy for too long is a refusal. */
async function executeOn(
  { connection, driver, env, around, now }: Doorway,
  command: Command,
  contents: Contents,
): Promise<Executed | Rejection> {
  const bodies = contents.map(bodyOf);
  const work = (): DoorResult => {
    const answered = runSync(door(command, env), driver);
    if (isRejection(answered.answer)) return answered;
    for (const body of bodies) putBody(connection.statements, body, now());
    return answered;
  };
  let result: DoorResult;
  try {
    result = await connection.write(work);
  } catch (error) {
    // What was to be written may be in the file or not: the next read finds out.
    around.cache.drop(command.itemId);
    if (isStoreError(error) && error.code === 'store_busy') return busy();
    throw error;
  }
  return finishCommand(around, command, result);
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
  const { migrations, onStatement, checkpoints } = options;
  const connection = await connect({
    path: options.path,
    durability: options.durability ?? 'full',
    readOnly: options.readOnly ?? false,
    mustExist: options.mustExist ?? false,
    patience: { ...DEFAULT_PATIENCE, ...options.patience },
    now,
    ...(migrations ? { migrations } : {}),
    ...(onStatement ? { onStatement } : {}),
    ...(checkpoints ? { checkpoints } : {}),
  });
  const cache = stateCache(options.cache ?? DEFAULT_CACHE);
  const driver = sqliteDriver(connection.statements, now);
  const env = doorEnv(cache, options.policy);
  const source = sqliteDoctorSource(connection, now);
  const around: Around = {
    cache,
    feed: commitFeed(options.onListenerError),
    quarantine: (itemId, reason) => noteQuarantine(connection, now, itemId, reason),
  };
  const doorway: Doorway = { connection, driver, env, around, now };
  return {
    execute: (command) => executeOn(doorway, command, []),
    executeWith: (command, contents) => executeOn(doorway, command, contents),
    load: async (itemId) => {
      const read = await connection.read(() => runSync(loadItem(itemId, cache.get(itemId)), driver));
      return finishLoad(around, itemId, read);
    },
    ...readMethods(connection),
    ...talkMethods(connection),
    ...leaseMethods(connection, now),
    ...processMethods(connection, now),
    ...contentMethods(connection, now),
    ...settingsMethods(connection),
    ...recordMethods(connection),
    onCommit: around.feed.add,
    doctor: () => examine(source),
    repair: () => mendAll(source),
    backup: connection.backup,
    close: connection.close,
    tendWal: (maxBytes) => tendWal(connection, maxBytes),
  };
}
