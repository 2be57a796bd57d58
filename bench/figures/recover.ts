import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepProcesses, sweepRuns } from '../../src/engine/loop/sweeper.ts';
import { thisWorker, type Worker } from '../../src/engine/worker.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { claim, create, dispatch, itemId } from '../items.ts';
import { copyStore, fill } from '../seed.ts';
import { median, timed } from '../statistics.ts';
import { benchWorld } from '../world.ts';

/** The identity of a process that was killed with SIGKILL and is gone. */
async function deadWorker(): Promise<Worker> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const worker = await thisWorker(child.pid ?? 0, 'bench');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return worker;
}

function* runsOf(owner: string, count: number) {
  for (let index = 0; index < count; index++) {
    const cycle = { item: itemId(index), run: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, owner };
    yield create(cycle.item, index);
    yield claim(cycle);
    yield dispatch(cycle);
  }
}

/**
 * What an engine does at its start to the Runs of one that was killed, until every one of them is settled: whose
 * process is gone, are any of its children left, `ExpireRun` for each. No lease has run out: the death is proven.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const count = quick ? 20 : 1_000;
  const dead = await deadWorker();
  const seed = join(root, 'recover.db');
  await fill(seed, runsOf(dead.owner, count));
  const samples: number[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const home = join(root, `recover-${round}`);
    await mkdir(home, { recursive: true });
    copyStore(seed, join(home, 'workcenter.db'));
    const world = await benchWorld(home, 64);
    await world.store.heartbeat(dead);
    samples.push(
      await timed(async () => {
        await sweepRuns(world);
        await sweepProcesses(world);
      }),
    );
    const left = (await world.store.liveRuns()).length;
    if (left > 0) throw new Error(`${left} Runs are still live`);
    await world.store.close();
  }
  const note = `${count} Runs`;
  return [{ name: 'recover.1000_ms', value: median(samples), unit: 'ms', n: samples.length, durability: 'full', note }];
}

export const recover: Benchmark = { names: ['recover.1000_ms'], measure };
