import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { eventView } from '../../src/api/views/entry.ts';
import { homeAt } from '../../src/engine/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { command, createBody, USER } from '../store/items.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { until } from '../support/until.ts';
import { ENV } from '../support/world.ts';
import { type Follower, follow } from './event-source.ts';
import { edit } from './live-api.ts';

const MAIN = await compiledScript(new URL('../../src/cli/main.ts', import.meta.url));

/** A server in a process of its own, which can be killed and started again on the same port. */
export interface KillableServer {
  readonly port: number;
  readonly pid: number;
  start(): Promise<void>;
  kill(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

/** `workcenter up` on a data directory. */
export async function upServer(home: string): Promise<KillableServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      const args = [MAIN, 'up', '--port', String(port)];
      child = spawn(process.execPath, args, { env: { ...ENV, WORKCENTER_HOME: home }, stdio: 'ignore' });
      await until('the server answers', answers);
    },
    async kill() {
      const dying = child;
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
      const gone = new Promise((resolve) => dying.once('exit', resolve));
      dying.kill('SIGKILL');
      await gone;
    },
  };
}

export const openStoreOf = (home: string): Promise<Store> => openSqliteStore({ path: homeAt(home).database });

/** Drafts: the engine leaves them alone, so that all events are ours. */
export async function makeDrafts(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const body = { ...createBody({ actions: [], start: false }), plan: { kind: 'coordinated' } } as const;
    await store.execute(command(id, body, { principal: USER }));
  }
}

/** Clients that follow items in turn. */
export const crowd = (port: number, ids: readonly string[], count: number): readonly Crowded[] =>
  Array.from({ length: count }, (_, index) => {
    const itemId = ids[index % ids.length] ?? '';
    return { itemId, follower: follow({ port, path: `/api/v1/work-items/${itemId}/stream` }) };
  });

export interface Crowded {
  readonly itemId: string;
  readonly follower: Follower;
}

/** The next event of an item, past the server: as another process commits. */
export async function editDirectly(store: Store, itemId: string): Promise<void> {
  const state = await store.load(itemId);
  await edit(store, itemId, state?.contractVersion ?? 0, 200);
}

/** The next event of an item, by the server; false when it did not answer. */
export async function editOverHttp(port: number, itemId: string, n: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/api/v1/work-items/${itemId}/contract`;
  try {
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const headers = { 'content-type': 'application/json', 'if-match': etag };
    const body = JSON.stringify({ instructions: `Number ${n}.` });
    const answer = await fetch(url, { method: 'PATCH', headers, body });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Waits until every client has the last event of its item; answers what is wrong with what they had. */
export async function complaintsOf(store: Store, clients: readonly Crowded[]): Promise<readonly string[]> {
  const digests = new Map<string, { readonly last: number; readonly digest: string }>();
  for (const itemId of new Set(clients.map(({ itemId }) => itemId))) {
    const events = await store.events(itemId, { limit: 100_000 });
    const hash = createHash('sha256');
    for (const event of events) hash.update(`${JSON.stringify(eventView(event))}\n`);
    digests.set(itemId, { last: events.at(-1)?.seq ?? 0, digest: hash.digest('hex') });
  }
  const isThere = ({ itemId, follower }: Crowded) => (follower.seqs.at(-1) ?? 0) >= (digests.get(itemId)?.last ?? 0);
  await until('every client has the last event', async () => clients.every(isThere));
  return clients.flatMap(({ itemId, follower }, index) => {
    const odd = follower.seqs.findIndex((seq, position) => seq !== position + 1);
    if (odd !== -1) return [`client ${index} of ${itemId}: ${follower.seqs[odd]} at place ${odd + 1}`];
    return follower.digest() === digests.get(itemId)?.digest ? [] : [`client ${index} of ${itemId}: other contents`];
  });
}
