import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../src/store/sqlite/open-sqlite-store.ts';

/** A folder of its own for a test that opens files; everything it opened is closed and gone afterwards. */
export interface Files {
  readonly path: string;
  readonly directory: string;
  readonly open: (options?: Partial<SqliteStoreOptions>) => Promise<SqliteStore>;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

export async function withFiles(work: (files: Files) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'wc-store-'));
  const path = join(directory, 'workcenter.db');
  const opened: SqliteStore[] = [];
  let at = 1_000_000;
  const files: Files = {
    path,
    directory,
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
    open: async (options = {}) => {
      const policy = () => ({ concurrency: 100 });
      const store = await openSqliteStore({ path, durability: 'normal', now: () => at, policy, ...options });
      opened.push(store);
      return store;
    },
  };
  try {
    await work(files);
  } finally {
    for (const store of opened) await store.close();
    await rm(directory, { recursive: true });
  }
}
