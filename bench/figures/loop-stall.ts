import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { fill } from '../seed.ts';
import { median } from '../statistics.ts';

const run = promisify(execFile);
const HAMMER = fileURLToPath(new URL('../children/hammer.ts', import.meta.url));
const PROCESSES = ['p', 'q', 'r'] as const;

function stallOf(line: string): number {
  const said: unknown = JSON.parse(line);
  const stallMs = typeof said === 'object' && said !== null ? Reflect.get(said, 'stallMs') : undefined;
  if (typeof stallMs !== 'number') throw new Error(`a process said ${line}`);
  return stallMs;
}

async function worstOf(kind: 'store' | 'bare', path: string, cycles: number): Promise<number> {
  const args = [...process.execArgv, HAMMER, kind, path];
  const ended = await Promise.all(PROCESSES.map((name) => run(process.execPath, [...args, name, String(cycles)])));
  return Math.max(...ended.map(({ stdout }) => stallOf(stdout.trim())));
}

/**
 * Three processes carry items on one file without a pause. Whoever does not get the write lock must wait without
 * blocking its thread, since the same thread keeps leases. The value is the worst process of a round, and the median
 * over the rounds. A durable commit waits for the disk, on whatever thread it is asked for: `ratio` compares with
 * three processes that commit as often to files of their own without our code, in turn with ours. On a machine that
 * does other work, too, both also count the time in which a process was not given a processor.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const cycles = quick ? 20 : 400;
  const rounds = quick ? 1 : 5;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const path = join(root, `hammer-${round}.db`);
    await fill(
      path,
      Array.from({ length: quick ? 100 : 2_000 }, (_, index) => create(itemId(index), index)),
    );
    ours.push(await worstOf('store', path, cycles));
    bare.push(await worstOf('bare', path, cycles));
  }
  const value = median(ours);
  const bareMs = median(bare);
  const note = `${PROCESSES.length} processes, ${cycles} items each; bare commits stall ${bareMs.toFixed(1)} ms`;
  return [{ name: 'loop.stall_ms', value, unit: 'ms', n: rounds, ratio: value / bareMs, durability: 'full', note }];
}

export const loopStall: Benchmark = { names: ['loop.stall_ms'], measure };
