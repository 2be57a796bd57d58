import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { environmentFor, isBuilt, NOT_BUILT, PROGRAM } from '../program.ts';
import { fill } from '../seed.ts';
import { median } from '../statistics.ts';

/** Starts the three commands in turn, so that a busy moment of the machine meets all of them. */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  if (!isBuilt()) return [{ name: 'cli.cold_ratio', skipped: NOT_BUILT }];
  const home = join(root, 'cli');
  mkdirSync(home, { recursive: true });
  await fill(
    join(home, 'workcenter.db'),
    Array.from({ length: 100 }, (_, index) => create(itemId(index), index)),
  );
  const commands = { bare: ['-e', '0'], version: [PROGRAM, '--version'], ls: [PROGRAM, 'ls'] };
  const tookMs: Record<keyof typeof commands, number[]> = { bare: [], version: [], ls: [] };
  const env = environmentFor(home);
  const rounds = quick ? 3 : 15;
  for (let round = 0; round < rounds; round++) {
    for (const name of ['bare', 'version', 'ls'] as const) {
      const startMs = performance.now();
      execFileSync(process.execPath, commands[name], { env, stdio: 'ignore' });
      tookMs[name].push(performance.now() - startMs);
    }
  }
  const bareMs = median(tookMs.bare);
  const ls = median(tookMs.ls) / bareMs;
  const version = median(tookMs.version) / bareMs;
  const note = `ls ${ls.toFixed(2)}, --version ${version.toFixed(2)}, node -e 0 takes ${bareMs.toFixed(0)} ms`;
  return [{ name: 'cli.cold_ratio', value: Math.max(ls, version), unit: 'ratio', n: rounds, note }];
}

export const cliCold: Benchmark = { names: ['cli.cold_ratio'], measure };
