import { randomUUID } from 'node:crypto';
import { engineSettings, homeAt, prepareHome, thisWorker, type World } from '../src/engine/index.ts';
import { openSqliteStore } from '../src/store/index.ts';

/** What an engine is given here: the real store at its default durability, and no sandbox, for nothing is spawned. */
export async function benchWorld(root: string, concurrency: number): Promise<World> {
  const home = homeAt(root);
  await prepareHome(home);
  return {
    store: await openSqliteStore({ path: home.database, durability: 'full', policy: () => ({ concurrency }) }),
    home,
    worker: await thisWorker(process.pid, 'bench'),
    settings: engineSettings({ concurrency: Math.min(concurrency, 64), minFreeBytes: 1 }),
    env: {},
    userHome: root,
    userConfigDir: root,
    toolPaths: [],
    enforcement: { sandbox: 'none', filesystem: false, network: false, processes: false },
    now: Date.now,
    newId: randomUUID,
    log: () => undefined,
  };
}
