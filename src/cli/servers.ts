import { isEmbedded, isFresh } from '../engine/embedded.ts';
import type { WorkerRow } from '../store/store.ts';
import type { App } from './app.ts';

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
