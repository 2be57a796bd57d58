import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt, prepareHome } from '../../src/engine/index.ts';
import { until } from '../support/until.ts';
import { complaintsOf, crowd, editDirectly, editOverHttp, makeDrafts, openStoreOf, upServer } from './stream-crowd.ts';

const CLIENTS = 200;
const DIRECT = ['direct1', 'direct2', 'direct3'];
const HTTP = ['http1', 'http2'];

it(`D33: ${CLIENTS} clients of a server that is killed have exactly the durable events, in order, none missing and none twice`, async () => {
  const home = join(await mkdtemp(join(tmpdir(), 'wc-streams-')), 'home');
  await prepareHome(homeAt(home));
  const store = await openStoreOf(home);
  const server = await upServer(home);
  const ids = [...DIRECT, ...HTTP];
  await makeDrafts(store, ids);
  await server.start();
  const clients = crowd(server.port, ids, CLIENTS);
  let n = 0;
  /** Every item changes: three past the server, two by it. */
  const write = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      n += 1;
      for (const id of DIRECT) await editDirectly(store, id);
      await Promise.all(HTTP.map((id) => editOverHttp(server.port, id, n)));
    }
  };
  try {
    await write(10);
    const writing = write(30);
    await until('they are in the middle of it', () => n >= 25);
    await server.kill();
    await writing;
    await server.start();
    await write(10);
    expect(await complaintsOf(store, clients)).toEqual([]);
    expect(clients.every(({ follower }) => follower.returns > 0)).toBe(true);
    const events = await Promise.all(ids.map(async (id) => (await store.load(id))?.version ?? 0));
    expect(Math.min(...events.slice(0, DIRECT.length))).toBeGreaterThan(50);
    expect(Math.min(...events.slice(DIRECT.length))).toBeGreaterThan(30);
  } finally {
    await Promise.all(clients.map(({ follower }) => follower.stop()));
    await server.kill();
    await store.close();
    await rm(join(home, '..'), { recursive: true, force: true, maxRetries: 5 });
  }
});
