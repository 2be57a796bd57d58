import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/index.ts';
import type { Executor, ExecutorEnd } from '../../src/executors/executor.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { mustHave } from '../seed.ts';
import { percentile } from '../statistics.ts';
import { benchWorld } from '../world.ts';

const END: ExecutorEnd = {
  outcome: {
    kind: 'completed',
    summary: 'Nothing was to be done.',
    evidence: [],
    claims: [
      { criterionId: 'c1', status: 'passed', evidence: 'seen' },
      { criterionId: 'c2', status: 'passed', evidence: 'seen' },
    ],
    outputs: [],
  },
  log: { hash: '0'.repeat(64), bytes: 0, tail: '' },
  usage: { wallMs: 0, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true },
  receipts: [],
};

/**
 * From the commit of what makes an Action runnable until its executor is called: the wake, the look at what is due,
 * the claim, the Run's directory, the dispatch. Two durable commits lie in between. The directory is worked on in
 * place and the executor is ours, so that neither git nor a process is part of it.
 *
 * Each item has two Actions, one after the other: the first is caused by the item's start, the second by the
 * settlement of the first.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const world = await benchWorld(join(root, 'wake'), 3);
  const directory = join(root, 'wake-project');
  await mkdir(directory, { recursive: true });
  const causedAt = new Map<string, number>();
  const samples: number[] = [];
  const executor: Executor = {
    start: (job) => {
      const causeMs = causedAt.get(job.itemId);
      if (causeMs !== undefined) samples.push(performance.now() - causeMs);
      return { ended: Promise.resolve(END), abort: () => undefined };
    },
  };
  world.store.onCommit((state, events) => {
    const isCause = events.some(({ body }) => body.type === 'ItemStarted' || body.type === 'RunSettled');
    if (isCause) causedAt.set(state.id, performance.now());
  });
  const engine = openEngine(world, { executorFor: () => executor });
  await engine.start();
  const items = quick ? 5 : 200;
  for (let index = 0; index < items; index++) {
    const item = itemId(index, 'wake');
    const contract = { directory, workspace: 'in-place' } as const;
    mustHave(await world.store.execute(create(item, index, { contract, actions: 2, chained: true })));
    const state = await engine.untilSettled(item);
    if (state.lifecycle !== 'done') throw new Error(`${item} is ${state.lifecycle}`);
  }
  await engine.stop();
  await world.store.close();
  const of = (share: number) =>
    ({ value: percentile(samples, share), unit: 'ms', n: samples.length, durability: 'full' }) as const;
  return [
    { name: 'wake.p50_ms', ...of(0.5) },
    { name: 'wake.p99_ms', ...of(0.99) },
  ];
}

export const wake: Benchmark = { names: ['wake.p50_ms', 'wake.p99_ms'], measure };
