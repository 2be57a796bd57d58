import { isRejection } from '../../core/index.ts';
import { steadyClock } from '../clock.ts';
import { commitFeed } from '../commit-feed.ts';
import { examine, mendAll } from '../doctor.ts';
import { door, loadItem } from '../door.ts';
import { runSync } from '../ops.ts';
import { type Around, doorEnv, finishCommand, finishLoad, type PolicyChoice } from '../run-command.ts';
import { type CacheBounds, DEFAULT_CACHE, stateCache } from '../state-cache.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { memoryDoctorSource } from './doctor-source.ts';
import { memoryDriver } from './memory-driver.ts';
import { readMethods, talkMethods } from './read-methods.ts';
import { recordMethods } from './record-methods.ts';
import { contentMethods, leaseMethods, processMethods, putBody, settingsMethods } from './side-methods.ts';
import { emptyTables, type Tables } from './tables.ts';

export interface MemoryStoreOptions {
  readonly now?: () => number;
  readonly policy?: () => PolicyChoice;
  readonly cache?: CacheBounds;
  readonly onListenerError?: (error: unknown) => void;
  /** Tables of another memory store: two stores on one set behave like two processes on one file. */
  readonly tables?: Tables;
}

/** A store that ends with the process: for tests, and the oracle the databases are compared with. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  const t = options.tables ?? emptyTables();
  const now = steadyClock(options.now ?? Date.now);
  const cache = stateCache(options.cache ?? DEFAULT_CACHE);
  const driver = memoryDriver(t, now);
  const env = doorEnv(cache, options.policy);
  const source = memoryDoctorSource(t, now);
  const around: Around = {
    cache,
    feed: commitFeed(options.onListenerError),
    quarantine: async (itemId, reason) => {
      t.quarantined.set(itemId, reason);
      const row = t.items.get(itemId);
      if (row) t.items.set(itemId, { ...row, lane: 'needs_you', dueAt: null });
    },
  };
  const executeWith: Store['executeWith'] = async (command, contents) => {
    const result = runSync(door(command, env), driver);
    if (!isRejection(result.answer)) for (const body of contents) putBody(t, body, now());
    return finishCommand(around, command, result);
  };
  return {
    execute: (command) => executeWith(command, []),
    executeWith,
    load: async (itemId) => finishLoad(around, itemId, runSync(loadItem(itemId, cache.get(itemId)), driver)),
    ...readMethods(t),
    ...talkMethods(t),
    ...leaseMethods(t, now),
    ...processMethods(t, now),
    ...contentMethods(t, now),
    ...settingsMethods(t),
    ...recordMethods(t),
    onCommit: around.feed.add,
    doctor: () => examine(source),
    repair: () => mendAll(source),
    backup: async () => {
      throw new StoreError('store_io', 'A store in memory has no file to copy.');
    },
    close: async () => {},
  };
}
