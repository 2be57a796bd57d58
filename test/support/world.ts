import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { engineSettings, homeAt, prepareHome, thisWorker, type World } from '../../src/engine/index.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';

/** The environment that the engine of a test passes on. */
export const ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: process.env.HOME ?? '/root', LANG: 'C.UTF-8' };

export interface WorldOptions {
  readonly sandbox?: boolean;
  /** Beside the usual environment: the address of a scripted model, a canary. */
  readonly env?: Readonly<Record<string, string>>;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly concurrency?: number;
  readonly minFreeBytes?: number;
  /** Looks like another process that has ended when a later world asks: several engines may live in one test. */
  readonly mortal?: boolean;
  readonly store?: Partial<SqliteStoreOptions>;
  /** Stands between the engine and its store. */
  readonly wrap?: (store: Store) => Store;
}

/** A world on the data directory of `root`, with a store connection of its own. */
export async function openWorldAt(root: string, options: WorldOptions = {}, logs: string[] = []): Promise<World> {
  const home = homeAt(join(root, 'home'));
  await prepareHome(home);
  const concurrency = options.concurrency ?? 3;
  const worker = await thisWorker(process.pid, 'test');
  const store = await openSqliteStore({
    path: home.database,
    durability: 'normal',
    policy: () => ({ concurrency }),
    ...options.store,
  });
  return {
    store: options.wrap?.(store) ?? store,
    home,
    worker: options.mortal ? { ...worker, startTime: '1' } : worker,
    settings: engineSettings({
      concurrency,
      leaseMs: options.leaseMs ?? 60_000,
      pollMs: options.pollMs ?? 50,
      minFreeBytes: options.minFreeBytes ?? 1,
    }),
    env: { ...ENV, ...options.env },
    userHome: ENV.HOME,
    userConfigDir: join(root, 'config'),
    toolPaths: [],
    enforcement: await probeSandbox({ disabled: options.sandbox !== true }),
    now: Date.now,
    newId: randomUUID,
    log: (message, facts) => void logs.push(`${message} ${JSON.stringify(facts ?? {})}`),
  };
}
