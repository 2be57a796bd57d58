import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { loopTurn } from '../loop-turn.ts';
import { type Patience, retryWhile } from '../retry.ts';
import { StoreError } from '../store-error.ts';
import { CHECKPOINT_BOUNDS, type CheckpointBounds, checkpointer } from './checkpointer.ts';
import { isBusy, toStoreError } from './driver-error.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { prepareAll, type StatementHook, type Statements } from './statements.ts';
import { writeQueue } from './write-queue.ts';

/** Chosen durability: `full` syncs every commit to the disk; `normal` may lose the last ones on power loss. */
export type Durability = 'full' | 'normal';

export interface ConnectionOptions {
  readonly path: string;
  readonly durability: Durability;
  readonly readOnly: boolean;
  readonly mustExist: boolean;
  readonly patience: Patience;
  readonly now: () => number;
  readonly migrations?: readonly Migration[];
  readonly onStatement?: StatementHook;
  readonly checkpoints?: CheckpointBounds;
}

/** The write-ahead log is cut back to this size after a checkpoint. */
const JOURNAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** One connection with its statements. Holds the file open until `close`. */
export interface Connection {
  readonly statements: Statements;
  /**
   * Runs `work` in a write transaction; waits for the lock without blocking the thread. Work that is asked for in
   * the same turn shares one transaction, and so one sync of the disk; a throw undoes only its own.
   */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Runs `work` on one consistent view of the file. */
  readonly readView: <T>(work: () => T) => Promise<T>;
  /** Runs reads that need no common view. */
  readonly read: <T>(work: () => T) => Promise<T>;
  readonly walBytes: () => number;
  /** Moves the whole log into the file and cuts it to nothing; false while readers are in the way. */
  readonly truncateWal: () => Promise<boolean>;
  readonly backup: (path: string) => Promise<void>;
  /** Nothing begins after the call; resolves when the file is let go of. */
  readonly close: () => Promise<void>;
}

function openFile({ path, readOnly, mustExist }: ConnectionOptions): Database.Database {
  try {
    if (!readOnly && !mustExist) mkdirSync(dirname(path), { recursive: true });
    return new Database(path, { readonly: readOnly, fileMustExist: mustExist || readOnly, timeout: 0 });
  } catch (error) {
    if ((mustExist || readOnly) && !existsSync(path)) {
      throw new StoreError('store_not_found', `There is no store at ${path}.`, error);
    }
    throw toStoreError(error);
  }
}

const boundLog = (db: Database.Database, pages: number): void => void db.pragma(`wal_autocheckpoint = ${pages}`);

function configure(db: Database.Database, options: ConnectionOptions): void {
  const { readOnly, durability, checkpoints = CHECKPOINT_BOUNDS } = options;
  db.pragma('busy_timeout = 0');
  db.pragma('foreign_keys = ON');
  if (readOnly) return;
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  db.pragma(`journal_size_limit = ${JOURNAL_LIMIT_BYTES}`);
  boundLog(db, checkpoints.alonePages);
}

const typed = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
};

/** Leaves no transaction open, whatever went wrong; the first error is the one that counts. */
function abandon(db: Database.Database, s: Statements): void {
  if (!db.inTransaction) return;
  try {
    s.rollback.run();
  } catch {
    // The caller throws the cause. A transaction that cannot be rolled back ends with the connection.
  }
}

function inTransaction<T>(db: Database.Database, s: Statements, begin: 'beginWrite' | 'beginRead', work: () => T): T {
  try {
    s[begin].run();
    const result = work();
    s.commit.run();
    return result;
  } catch (error) {
    abandon(db, s);
    throw error;
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function backupTo(db: Database.Database, path: string): Promise<void> {
  if (existsSync(path)) throw new StoreError('store_io', `${path} exists already; a backup overwrites nothing.`);
  try {
    await db.backup(path);
  } catch (error) {
    throw toStoreError(error);
  }
}

const checkpointerOf = (db: Database.Database, { path, durability, checkpoints }: ConnectionOptions) =>
  checkpointer({
    path,
    durability,
    boundLog: (pages) => {
      if (db.open) boundLog(db, pages);
    },
    ...(checkpoints ? { bounds: checkpoints } : {}),
  });

/** Opens the file, brings its schema up to date and prepares every statement. Throws `StoreError`. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { path, patience, now, onStatement } = options;
  const db = openFile(options);
  const retry = <T>(work: () => T): Promise<T> => retryWhile(() => typed(work), isBusy, patience);
  try {
    await retry(() => configure(db, options));
    await retry(() => migrate(db, now(), options.migrations ?? MIGRATIONS, options.readOnly));
    const s = await retry(() => prepareAll(db, onStatement));
    const turn = loopTurn();
    const tending = checkpointerOf(db, options);
    const write = <T>(work: () => T): T => {
      const result = inTransaction(db, s, 'beginWrite', work);
      tending.committed();
      return result;
    };
    const queue = writeQueue((work) => retry(() => write(work)), turn);
    const inTurn = <T>(work: () => T): Promise<T> => (turn.isDue() ? turn.take().then(() => retry(work)) : retry(work));
    return {
      statements: s,
      write: queue.write,
      readView: (work) => inTurn(() => inTransaction(db, s, 'beginRead', work)),
      read: inTurn,
      walBytes: () => sizeOf(`${path}-wal`),
      truncateWal: () => retry(() => db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0),
      backup: (target) => backupTo(db, target),
      close: () => {
        queue.beginAll();
        db.close();
        // Only then: of two that close at the same moment neither is the last, and the log would stay behind.
        return tending.stop();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
