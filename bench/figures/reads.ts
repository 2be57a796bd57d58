import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/index.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { claim, create, dispatch, settle } from '../items.ts';
import { openItems } from '../large-store.ts';
import { fill } from '../seed.ts';
import { median, samplesOf } from '../statistics.ts';

/** A page of 50 with the counts of all lanes and the directories to choose from; a third of the pages each: the first, a later one, one of a directory. */
async function measureList(options: BenchOptions): Promise<readonly Line[]> {
  const { path, count } = await openItems(options);
  const store = await openSqliteStore({ path, durability: 'normal' });
  let cursor: string | undefined;
  const queries = [
    async () => {
      cursor = (await store.list({ limit: 50 })).nextCursor;
    },
    () => store.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
    () => store.list({ limit: 50, directory: '/projects/project-7' }),
  ];
  const samples = await samplesOf(options.quick ? 9 : 300, async (index) => {
    await Promise.all([queries[index % queries.length]?.(), store.directories({ limit: 50 })]);
  });
  await store.close();
  return [
    { name: 'list.p50_ms', value: median(samples), unit: 'ms', n: samples.length, note: `out of ${count} items` },
  ];
}

const RUNS = 500;
const ACTIONS = 64;

/** An item whose Actions were carried in turn until there are 500 Runs. */
function* busyItem() {
  yield create('busy', 1, { actions: ACTIONS });
  for (let at = 0; at < RUNS; at++) {
    const cycle = {
      item: 'busy',
      run: `run-${at}`,
      action: `a${(at % ACTIONS) + 1}`,
      epoch: Math.floor(at / ACTIONS) + 1,
    };
    yield claim(cycle);
    yield dispatch(cycle);
    yield settle(cycle, 'interrupted');
  }
}

/** State and newest Runs of a large item, by a process that has not seen it: snapshot, tail and rows are read. */
async function measureDetail({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const path = join(root, 'detail.db');
  await fill(path, busyItem());
  // No cache: every sample is a cold load.
  const store = await openSqliteStore({ path, durability: 'normal', cache: { items: 0, chars: 0 } });
  const samples = await samplesOf(quick ? 5 : 300, async () => {
    await store.load('busy');
    await store.runs('busy');
  });
  await store.close();
  const note = `cold load and the newest 100 of ${RUNS} Runs, ${ACTIONS} Actions`;
  return [{ name: 'detail.p50_ms', value: median(samples), unit: 'ms', n: samples.length, note }];
}

export const list: Benchmark = { names: ['list.p50_ms'], measure: measureList };
export const detail: Benchmark = { names: ['detail.p50_ms'], measure: measureDetail };
