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

/**
 * Three processes carry items on one file without a pause. Whoever does not get the write lock must wait without
 * blocking its thread, since the same thread keeps leases. The value is the worst process of a round, and the median
 * over the rounds: on a busy machine a single round also measures its neighbours.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const cycles = quick ? 20 : 400;
  const rounds = quick ? 1 : 5;
  const worst: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const path = join(root, `hammer-${round}.db`);
    await fill(
      path,
      Array.from({ length: quick ? 100 : 2_000 }, (_, index) => create(itemId(index), index)),
    );
    const ended = await Promise.all(
      PROCESSES.map((name) => run(process.execPath, [...process.execArgv, HAMMER, path, name, String(cycles)])),
    );
    worst.push(Math.max(...ended.map(({ stdout }) => stallOf(stdout.trim()))));
  }
  const note = `${PROCESSES.length} processes, ${cycles} items each, ${rounds} rounds; worst round ${Math.max(...worst).toFixed(1)}`;
  return [{ name: 'loop.stall_ms', value: median(worst), unit: 'ms', n: rounds, durability: 'full', note }];
}

export const loopStall: Benchmark = { names: ['loop.stall_ms'], measure };
