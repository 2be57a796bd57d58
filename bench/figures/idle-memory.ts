import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { drafts } from '../large-store.ts';
import { environmentFor, isBuilt, NOT_BUILT, PROGRAM } from '../program.ts';
import { copyStore } from '../seed.ts';
import { median } from '../statistics.ts';

const NAME = 'idle.rss_mb';

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`no VmRSS of process ${pid}`);
  return Number(kilobytes) / 1024;
}

/** Resolves when the server has said that it carries what it found and where it answers; rejects when it ends before. */
async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  const { stderr } = server;
  await new Promise<void>((resolve, reject) => {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Carrying') && said.includes('HTTP: ')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

/** The memory of `workcenter up`, its HTTP API open, some polls after its start, with nothing to do for any of its items. */
async function measure(options: BenchOptions): Promise<readonly Line[]> {
  if (!isBuilt()) return [{ name: NAME, skipped: NOT_BUILT }];
  if (process.platform !== 'linux') return [{ name: NAME, skipped: 'reads /proc' }];
  const home = join(options.root, 'idle');
  mkdirSync(home, { recursive: true });
  const { path, count } = await drafts(options);
  copyStore(path, join(home, 'workcenter.db'));
  const server = spawn(process.execPath, [PROGRAM, 'up', '--port', '0'], {
    env: environmentFor(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  try {
    await ready(server);
    const samples: number[] = [];
    for (let sample = 0; sample < (options.quick ? 2 : 10); sample++) {
      await pause(options.quick ? 200 : 1_000);
      samples.push(residentMb(server.pid ?? 0));
    }
    return [
      { name: NAME, value: median(samples.slice(1)), unit: 'MB', n: samples.length - 1, note: `${count} drafts` },
    ];
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

export const idleMemory: Benchmark = { names: [NAME], measure };
