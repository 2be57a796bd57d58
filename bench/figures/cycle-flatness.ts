import { join } from 'node:path';
import { openSqliteStore, type SqliteStore } from '../../src/store/index.ts';
import { carryNext, topUp } from '../cycle.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { openItems } from '../large-store.ts';
import { copyStore, fill, MANY_RUNS } from '../seed.ts';
import { median, timed } from '../statistics.ts';

/** New items get numbers far behind the seeded ones. */
const FRESH = 10_000_000;
const FEW = 100;

interface Side {
  readonly store: SqliteStore;
  readonly blockMs: number[];
}

/** The number of open items stays what it is: as many as are carried are created first, untimed. */
async function runBlock({ store, blockMs }: Side, block: number, cycles: number): Promise<void> {
  await topUp(store, FRESH + block * cycles, cycles);
  blockMs.push(
    await timed(async () => {
      for (let cycle = 0; cycle < cycles; cycle++) await carryNext(store, `run-${block}-${cycle}`);
    }),
  );
}

const openSide = async (path: string): Promise<Side> => ({
  store: await openSqliteStore({ path, durability: 'normal', policy: () => MANY_RUNS }),
  blockMs: [],
});

/** Blocks in turn on a store with many open items and on one with few; the ratio of the two median rates. */
async function measure(options: BenchOptions): Promise<readonly Line[]> {
  const { root, quick } = options;
  const blocks = quick ? 3 : 41;
  const cycles = quick ? 10 : 50;
  const fewPath = join(root, 'few.db');
  await fill(
    fewPath,
    Array.from({ length: FEW }, (_, index) => create(itemId(index), index)),
  );
  const large = await openItems(options);
  const many = await openSide(copyStore(large.path, join(root, 'many.db')));
  const few = await openSide(fewPath);
  for (let block = 0; block < blocks; block++) {
    await runBlock(few, block, cycles);
    await runBlock(many, block, cycles);
  }
  await few.store.close();
  await many.store.close();
  const warm = (side: Side): number => median(side.blockMs.slice(1));
  const value = warm(few) / warm(many);
  const note = `${large.count} open items against ${FEW}`;
  return [{ name: 'cycle.flatness', value, unit: 'ratio', n: (blocks - 1) * cycles, durability: 'normal', note }];
}

export const cycleFlatness: Benchmark = { names: ['cycle.flatness'], measure };
