import type { WorkerRow } from '../store/store.ts';

/** Begins the owner id of an engine that carries one submission only; others must not count on it (`liveServers`). */
export const EMBEDDED = 'run:';

/** An engine that has not been heard of for this long is not counted on. */
const FRESH_MS = 15_000;

export const isEmbedded = (worker: WorkerRow): boolean => worker.owner.startsWith(EMBEDDED);

export const isFresh = (worker: WorkerRow, now: number): boolean =>
  worker.stoppedAt === null && now - worker.heartbeatAt < FRESH_MS;
