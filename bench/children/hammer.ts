/**
 * One of several processes that write to the same store as fast as they can; answers its longest stall. With `bare` it
 * commits rows to a file of its own instead, through SQLite alone: what the disk and the machine cost at that moment.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { claim, create, dispatch, itemId, settle } from '../items.ts';
import { MANY_RUNS, mustHave } from '../seed.ts';

const [kind = '', path = '', prefix = '', count = '0'] = process.argv.slice(2);
/** Loading and compiling are not what is asked about. */
const WARM_UP = 30;
const RESOLUTION_MS = 1;
const COMMITS_PER_ITEM = 4;

interface Subject {
  readonly carryOne: (index: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function carryOne(store: Store, index: number): Promise<void> {
  const cycle = { item: itemId(index, prefix), run: `${prefix}-${index}` };
  mustHave(await store.execute(create(cycle.item, index)));
  mustHave(await store.execute(claim(cycle)));
  mustHave(await store.execute(dispatch(cycle)));
  mustHave(await store.execute(settle(cycle)));
  await store.list({ limit: 50 });
}

async function openStore(): Promise<Subject> {
  const store = await openSqliteStore({ path, durability: 'full', policy: () => MANY_RUNS });
  return { carryOne: (index) => carryOne(store, index), close: () => store.close() };
}

function openBare(): Subject {
  const db = new Database(`${path}.${prefix}`);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, data TEXT)');
  const insert = db.prepare<[string]>('INSERT INTO rows (data) VALUES (?)');
  const body = 'x'.repeat(2_000);
  return {
    carryOne: async () => {
      for (let commit = 0; commit < COMMITS_PER_ITEM; commit++) insert.run(body);
      await setImmediate();
    },
    close: async () => void db.close(),
  };
}

const subject = kind === 'bare' ? openBare() : await openStore();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
for (let index = 0; index < WARM_UP; index++) await subject.carryOne(index);
delay.enable();
for (let index = WARM_UP; index < WARM_UP + Number(count); index++) await subject.carryOne(index);
delay.disable();
await subject.close();
process.stdout.write(`${JSON.stringify({ stallMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) })}\n`);
