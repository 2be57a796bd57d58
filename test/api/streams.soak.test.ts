import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { homeAt, prepareHome } from '../../src/engine/index.ts';
import { complaintsOf, crowd, editDirectly, editOverHttp, makeDrafts, openStoreOf, upServer } from './stream-crowd.ts';

const CLIENTS = 1_000;
const ITEMS = Array.from({ length: 20 }, (_, index) => `item${index}`);
const KILLS = 4;
const ROUNDS = 25;

/** Megabytes of memory that a process holds. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

it(`D33: ${CLIENTS} clients have exactly the durable events after ${KILLS} kills of their server`, async () => {
  const root = await mkdtemp(join(tmpdir(), 'wc-streams-'));
  const home = join(root, 'home');
  await prepareHome(homeAt(home));
  const store = await openStoreOf(home);
  const server = await upServer(home);
  await makeDrafts(store, ITEMS);
  await server.start();
  const idleMb = await residentMb(server.pid);
  const clients = crowd(server.port, ITEMS, CLIENTS);
  const frames = () => clients.reduce((sum, { follower }) => sum + follower.seqs.length, 0);
  const peakMb: number[] = [];
  const perSecond: number[] = [];
  const write = async (n: number) => {
    for (const [index, id] of ITEMS.entries()) {
      if (index % 2 === 0) await editDirectly(store, id);
      else await editOverHttp(server.port, id, n);
    }
  };
  try {
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const [before, sinceMs] = [frames(), performance.now()];
      for (let round = 0; round < ROUNDS; round += 1) await write(kill * ROUNDS + round);
      expect(await complaintsOf(store, clients)).toEqual([]);
      perSecond.push(Math.round(((frames() - before) * 1_000) / (performance.now() - sinceMs)));
      peakMb.push(await residentMb(server.pid));
      if (kill === KILLS) break;
      const writing = write(kill);
      await pause(20);
      await server.kill();
      await writing;
      await server.start();
    }
    // What the figures are for is printed: a soak is read by a person.
    console.log({ clients: CLIENTS, frames: frames(), perSecond, idleMb, peakMb });
    expect(Math.max(...peakMb)).toBeLessThan(1_024);
  } finally {
    await Promise.all(clients.map(({ follower }) => follower.stop()));
    await server.kill();
    await store.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
});
