import type { WorkerRow } from '../store/store.ts';
import type { App } from './app.ts';
import { EMBEDDED } from './world.ts';

/** A server that has not been heard of for this long is not counted on. */
const FRESH_MS = 15_000;

export const isEmbedded = (worker: WorkerRow): boolean => worker.owner.startsWith(EMBEDDED);

export const isFresh = (worker: WorkerRow, now: number): boolean =>
  worker.stoppedAt === null && now - worker.heartbeatAt < FRESH_MS;

/** Engines that carry everything: a new item needs none of its own while one of them lives. */
export async function liveServers(app: App): Promise<readonly WorkerRow[]> {
  const { thisWorker, standingOf } = await import('../engine/worker.ts');
  const now = app.shell.now();
  const fresh = (await app.store.workers()).filter((worker) => isFresh(worker, now) && !isEmbedded(worker));
  if (fresh.length === 0) return [];
  const self = await thisWorker(app.shell.pid, app.shell.version);
  const standings = await Promise.all(
    fresh.map(async (worker) => ({ worker, standing: await standingOf(worker, self) })),
  );
  return standings.filter(({ standing }) => standing === 'alive' || standing === 'unknown').map(({ worker }) => worker);
}
