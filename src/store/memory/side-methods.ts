import { sha256Hex, toBytes } from '../sha256.ts';
import type { ContentRef, RunLease, Store } from '../store.ts';
import type { MemoryLease, Tables } from './tables.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'renewLease' | 'releaseLease' | 'expiredRuns' | 'liveRuns'>;

const runLeases = (t: Tables): readonly RunLease[] =>
  [...t.leases.values()]
    .sort((a, b) => a.expiresAt - b.expiresAt || (a.resource < b.resource ? -1 : 1))
    .flatMap(({ itemId, runId, epoch, owner, expiresAt }) =>
      itemId !== null && runId !== null && owner !== null ? [{ itemId, runId, epoch, owner, expiresAt }] : [],
    );

export function leaseMethods(t: Tables, now: () => number): LeaseMethods {
  const heldBy = (resource: string, owner: string, epoch: number): MemoryLease | undefined => {
    const row = t.leases.get(resource);
    return row?.owner === owner && row.epoch === epoch ? row : undefined;
  };
  return {
    acquireLease: async (resource, owner, ttlMs) => {
      const row = t.leases.get(resource);
      const at = now();
      if (row && (row.runId !== null || (row.owner !== null && row.expiresAt > at))) return undefined;
      const epoch = (row?.epoch ?? 0) + 1;
      const expiresAt = at + ttlMs;
      t.leases.set(resource, {
        resource,
        owner,
        epoch,
        expiresAt,
        itemId: null,
        runId: null,
        alone: false,
        idle: false,
      });
      return epoch;
    },
    renewLease: async (resource, owner, epoch, ttlMs) => {
      const row = heldBy(resource, owner, epoch);
      if (row) t.leases.set(resource, { ...row, expiresAt: now() + ttlMs });
      return row !== undefined;
    },
    releaseLease: async (resource, owner, epoch) => {
      const row = heldBy(resource, owner, epoch);
      if (row && row.runId === null) t.leases.set(resource, { ...row, owner: null });
    },
    expiredRuns: async ({ limit }) => {
      const at = now();
      return runLeases(t)
        .filter((lease) => lease.expiresAt <= at)
        .slice(0, limit);
    },
    liveRuns: async () => runLeases(t),
  };
}

type ProcessMethods = Pick<
  Store,
  'heartbeat' | 'workers' | 'stopWorker' | 'recordProcess' | 'forgetProcess' | 'processes'
>;

export const processMethods = (t: Tables, now: () => number): ProcessMethods => ({
  heartbeat: async (worker) => {
    const at = now();
    const known = t.workers.get(worker.owner);
    const row = known ?? { ...worker, firstSeenAt: at };
    t.workers.set(worker.owner, { ...row, heartbeatAt: at, stoppedAt: null });
  },
  workers: async () => [...t.workers.values()].sort((a, b) => (a.owner < b.owner ? -1 : 1)),
  stopWorker: async (owner) => {
    const row = t.workers.get(owner);
    if (row) t.workers.set(owner, { ...row, stoppedAt: now() });
    for (const lease of t.leases.values()) {
      if (lease.owner === owner && lease.runId === null) t.leases.set(lease.resource, { ...lease, owner: null });
    }
  },
  recordProcess: async (row) => void t.processes.set(row.runId, { ...row, recordedAt: now() }),
  forgetProcess: async (runId) => void t.processes.delete(runId),
  processes: async ({ machine } = {}) =>
    [...t.processes.values()]
      .filter((row) => machine === undefined || row.machine === machine)
      .sort((a, b) => (a.runId < b.runId ? -1 : 1)),
});

type ContentMethods = Pick<Store, 'putContent' | 'getContent' | 'gcContent'>;

export function putBody(t: Tables, body: Uint8Array | string, storedAt: number): ContentRef {
  const bytes = toBytes(body).slice();
  const hash = sha256Hex(bytes);
  t.content.set(hash, { body: bytes, storedAt });
  return { hash, bytes: bytes.byteLength };
}

export const contentMethods = (t: Tables, now: () => number): ContentMethods => ({
  putContent: async (body) => putBody(t, body, now()),
  getContent: async (hash) => t.content.get(hash)?.body,
  gcContent: async ({ olderThan, referenced = new Set<string>(), only }) => {
    const isMeant = (hash: string): boolean => !referenced.has(hash) && (only?.includes(hash) ?? true);
    const dead = [...t.content].filter(([hash, row]) => row.storedAt < olderThan && isMeant(hash));
    for (const [hash] of dead) t.content.delete(hash);
    return dead.length;
  },
});

type SettingsMethods = Pick<Store, 'readSettings' | 'writeSettings'>;

export const settingsMethods = (t: Tables): SettingsMethods => ({
  readSettings: async () => ({
    version: t.settings.version,
    value: JSON.parse(t.settings.text) as Record<string, unknown>,
  }),
  writeSettings: async (expectedVersion, value) => {
    if (expectedVersion !== t.settings.version) return false;
    t.settings = { version: expectedVersion + 1, text: JSON.stringify(value) };
    return true;
  },
});
