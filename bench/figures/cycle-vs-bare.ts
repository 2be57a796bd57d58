import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteStore, type SqliteStore } from '../../src/store/index.ts';
import { carryNext } from '../cycle.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { copyStore, fill, MANY_RUNS } from '../seed.ts';
import { median, timed } from '../statistics.ts';

/**
 * What our code costs on top of SQLite itself.
 *
 * 1. A store is filled with items and closed; three copies of the file are made, with every index on them.
 * 2. On the first copy the cycles are carried out once while the store's statement hook writes down each statement
 *    with what was bound to it, transactions included: the mix that a cycle really executes.
 * 3. Block by block, in turn, the same cycles run on the second copy through the store, and the recorded statements
 *    run on the third through better-sqlite3 alone, prepared once. The keys are new to that copy, as they were.
 *
 * The value is the median over the blocks of bare time / our time, at the same `synchronous`. Both sides open the
 * file the same way; the bare side parses no JSON, decides nothing and gives the thread up nowhere. Both pay for
 * checkpoints in their own way: the bare side within its commits, as SQLite does by itself, ours beside them.
 */

type Durability = 'normal' | 'full';
type Value = string | number | null | Uint8Array;

interface Recorded {
  readonly text: string;
  readonly values: readonly Value[];
}

interface Sizes {
  readonly blocks: number;
  readonly cyclesPerBlock: number;
}

const runId = (block: number, cycle: number): string =>
  `00000000-0000-4000-8000-${String(block * 1_000 + cycle).padStart(12, '0')}`;

const openStore = (
  path: string,
  durability: Durability,
  onStatement?: (text: Recorded) => void,
): Promise<SqliteStore> =>
  openSqliteStore({
    path,
    durability,
    policy: () => MANY_RUNS,
    ...(onStatement
      ? {
          onStatement: (phase: 'before' | 'after', text: string, values: readonly Value[]) => {
            // Only what succeeded: a BEGIN that met a checkpoint is asked again, and is one statement of the mix.
            if (phase === 'after') onStatement({ text, values: [...values] });
          },
        }
      : {}),
  });

async function carryBlock(store: SqliteStore, block: number, count: number): Promise<void> {
  for (let cycle = 0; cycle < count; cycle++) await carryNext(store, runId(block, cycle));
}

async function record(path: string, { blocks, cyclesPerBlock }: Sizes): Promise<Recorded[][]> {
  let current: Recorded[] = [];
  const store = await openStore(path, 'normal', (statement) => current.push(statement));
  const recorded: Recorded[][] = [];
  for (let block = 0; block < blocks; block++) {
    current = [];
    await carryBlock(store, block, cyclesPerBlock);
    recorded.push(current);
  }
  await store.close();
  return recorded;
}

interface Bare {
  readonly run: (statements: readonly Recorded[]) => void;
  readonly close: () => void;
}

function openBare(path: string, durability: Durability, recorded: readonly Recorded[][]): Bare {
  const db = new Database(path, { fileMustExist: true });
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability}`);
  db.pragma('foreign_keys = ON');
  const texts = [...new Set(recorded.flat().map(({ text }) => text))];
  const calls = new Map(
    texts.map((text) => {
      const statement = db.prepare<Value[]>(text);
      const call = statement.reader
        ? (values: readonly Value[]): unknown => statement.get(...values)
        : (values: readonly Value[]): unknown => statement.run(...values);
      return [text, call] as const;
    }),
  );
  return {
    run: (statements) => {
      for (const { text, values } of statements) calls.get(text)?.(values);
    },
    close: () => void db.close(),
  };
}

interface Compared {
  readonly ratios: readonly number[];
  readonly rates: readonly number[];
}

async function compare(root: string, durability: Durability, sizes: Sizes): Promise<Compared> {
  const { blocks, cyclesPerBlock } = sizes;
  const seed = join(root, `vs-bare-${durability}.db`);
  const total = blocks * cyclesPerBlock;
  await fill(
    seed,
    Array.from({ length: total + 100 }, (_, index) => create(itemId(index), index)),
  );
  const recorded = await record(copyStore(seed, `${seed}.record`), sizes);
  const store = await openStore(copyStore(seed, `${seed}.ours`), durability);
  const bare = openBare(copyStore(seed, `${seed}.bare`), durability, recorded);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (const [block, statements] of recorded.entries()) {
    const oursMs = await timed(() => carryBlock(store, block, cyclesPerBlock));
    const bareMs = await timed(() => bare.run(statements));
    // The first block compiles our code and fills the page caches of both.
    if (block === 0 && blocks > 1) continue;
    ratios.push(bareMs / oursMs);
    rates.push((cyclesPerBlock / oursMs) * 1_000);
  }
  bare.close();
  await store.close();
  return { ratios, rates };
}

async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const durability of ['normal', 'full'] as const) {
    const sizes = quick
      ? { blocks: 3, cyclesPerBlock: 10 }
      : { blocks: durability === 'full' ? 21 : 61, cyclesPerBlock: 50 };
    const { ratios, rates } = await compare(root, durability, sizes);
    const n = ratios.length * sizes.cyclesPerBlock;
    lines.push(
      { name: `cycle.vs_bare_${durability}`, value: median(ratios), unit: 'ratio', n, durability },
      { name: 'cycle.per_s', value: median(rates), unit: '1/s', n, durability },
    );
  }
  return lines;
}

export const cycleVsBare: Benchmark = { names: ['cycle.vs_bare_normal', 'cycle.vs_bare_full', 'cycle.per_s'], measure };
