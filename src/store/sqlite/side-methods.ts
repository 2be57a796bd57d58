import type { Settings, Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'renewLease' | 'releaseLease' | 'expiredRuns' | 'liveRuns'>;

/** Leases outside the door: their upkeep appends no event. Time is the store's clock. */
export function leaseMethods({ statements: s, write, read }: Connection, now: () => number): LeaseMethods {
  return {
    acquireLease: (resource, owner, ttlMs) =>
      write(() => {
        const at = now();
        return s.acquireLease.get(resource, owner, at + ttlMs, at)?.epoch;
      }),
    renewLease: (resource, owner, epoch, ttlMs) =>
      write(() => s.renewLease.run(now() + ttlMs, resource, owner, epoch).changes === 1),
    releaseLease: (resource, owner, epoch) => write(() => void s.releaseLease.run(resource, owner, epoch)),
    expiredRuns: ({ limit }) => read(() => s.expiredRuns.all(now(), limit)),
    liveRuns: () => read(() => s.liveRuns.all()),
  };
}

type ProcessMethods = Pick<
  Store,
  'heartbeat' | 'workers' | 'stopWorker' | 'recordProcess' | 'forgetProcess' | 'processes'
>;

/** Who works on this store, and what they have started. */
export function processMethods({ statements: s, write, read }: Connection, now: () => number): ProcessMethods {
  return {
    heartbeat: ({ owner, machine, pid, startTime, bootId, version }) =>
      write(() => {
        const at = now();
        s.heartbeat.run(owner, machine, pid, startTime, bootId, version, at, at);
      }),
    workers: () => read(() => s.workers.all()),
    stopWorker: (owner) =>
      write(() => {
        s.stopWorker.run(now(), owner);
        s.releaseOwner.run(owner);
      }),
    recordProcess: ({ runId, itemId, owner, machine, pid, startTime }) =>
      write(() => void s.putProcess.run(runId, itemId, owner, machine, pid, startTime, now())),
    forgetProcess: (runId) => write(() => void s.dropProcess.run(runId)),
    processes: ({ machine } = {}) =>
      read(() => (machine === undefined ? s.processes.all() : s.processesOfMachine.all(machine))),
  };
}

const NO_SETTINGS: Settings = Object.freeze({ version: 0, value: Object.freeze({}) });

function parseSettings(row: { version: number; value: string } | undefined): Settings {
  if (!row) return NO_SETTINGS;
  try {
    const value: unknown = JSON.parse(row.value);
    if (typeof value === 'object' && value !== null) {
      return { version: row.version, value: Object.fromEntries(Object.entries(value)) };
    }
  } catch (error) {
    throw new StoreError('store_corrupt', 'The settings in the store are damaged.', error);
  }
  throw new StoreError('store_corrupt', 'The settings in the store are damaged.');
}

type SettingsMethods = Pick<Store, 'readSettings' | 'writeSettings'>;

/** Settings are one document under a version: who read an older one writes nothing. */
export const settingsMethods = ({ statements: s, write, read }: Connection): SettingsMethods => ({
  readSettings: () => read(() => parseSettings(s.settings.get())),
  writeSettings: (expectedVersion, value) =>
    write(() => {
      const text = JSON.stringify(value);
      const { changes } = expectedVersion === 0 ? s.addSettings.run(text) : s.updateSettings.run(text, expectedVersion);
      return changes === 1;
    }),
});
