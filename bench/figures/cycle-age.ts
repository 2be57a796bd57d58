import { join } from 'node:path';
import type { Command } from '../../src/core/index.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/index.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { type Cycle, claim, create, dispatch, settle } from '../items.ts';
import { fill, MANY_RUNS, mustHave } from '../seed.ts';
import { median, timed } from '../statistics.ts';

/** Each cycle ends as `interrupted`: the Action is ready again, so an item can be carried as often as wanted. */
function* interruptedCycle(cycle: Cycle): Generator<Command> {
  yield claim(cycle);
  yield dispatch(cycle);
  yield settle(cycle, 'interrupted');
}

interface Age {
  readonly settled: number;
  readonly events: number;
}

const ACTIONS = 64;

/** The life of an old item: `settled` Actions completed, and one that was interrupted until there are enough events. */
function* oldLife(item: string, { settled, events }: Age): Generator<Command> {
  yield create(item, 1, { actions: ACTIONS });
  for (let at = 1; at <= settled; at++) {
    const cycle = { item, run: `old-${at}`, action: `a${at}` };
    yield claim(cycle);
    yield dispatch(cycle);
    yield settle(cycle);
  }
  const rest = Math.ceil((events - 2 - settled * 3) / 3);
  for (let epoch = 1; epoch <= rest; epoch++) {
    yield* interruptedCycle({ item, run: `past-${epoch}`, action: `a${ACTIONS}`, epoch });
  }
}

interface Subject {
  readonly item: string;
  readonly action: string;
  readonly blockMs: number[];
}

async function runBlock(store: SqliteStore, subject: Subject, firstEpoch: number, cycles: number): Promise<void> {
  const { item, action, blockMs } = subject;
  const blockTook = await timed(async () => {
    for (let at = 0; at < cycles; at++) {
      const epoch = firstEpoch + at;
      const [due] = await store.dueItems({ now: Date.now() + 1_000, limit: 1 });
      if (!due) throw new Error('nothing is due');
      for (const command of interruptedCycle({ item, run: `run-${epoch}`, action, epoch })) {
        mustHave(await store.execute(command));
      }
    }
  });
  blockMs.push(blockTook);
}

/** Blocks in turn on the old item, on a young one of the same plan, and on a young one with the same work left. */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const age: Age = quick ? { settled: 60, events: 300 } : { settled: 60, events: 5_000 };
  const blocks = quick ? 3 : 41;
  const cycles = quick ? 8 : 50;
  const path = join(root, 'age.db');
  const left = ACTIONS - age.settled;
  await fill(path, [
    ...oldLife('old', age),
    create('same-plan', 1, { actions: ACTIONS }),
    create('young', 1, { actions: left }),
  ]);
  const store = await openSqliteStore({ path, durability: 'normal', policy: () => MANY_RUNS });
  // The last Action of the old item was carried until now; the one before it is as new as that of the young ones.
  const subjects = {
    old: { item: 'old', action: `a${ACTIONS - 1}`, blockMs: [] },
    samePlan: { item: 'same-plan', action: `a${ACTIONS - 1}`, blockMs: [] },
    young: { item: 'young', action: `a${left - 1}`, blockMs: [] },
  } satisfies Record<string, Subject>;
  for (let block = 0; block < blocks; block++) {
    for (const subject of Object.values(subjects)) await runBlock(store, subject, block * cycles + 1, cycles);
  }
  await store.close();
  const warm = (subject: Subject): number => median(subject.blockMs.slice(1));
  const value = warm(subjects.young) / warm(subjects.old);
  const ratio = warm(subjects.samePlan) / warm(subjects.old);
  const note = `${age.settled} settled Actions, ${age.events} events; ratio: against a fresh item of the same 64 Actions`;
  return [
    { name: 'cycle.age_flatness', value, unit: 'ratio', n: (blocks - 1) * cycles, ratio, durability: 'normal', note },
  ];
}

export const cycleAge: Benchmark = { names: ['cycle.age_flatness'], measure };
