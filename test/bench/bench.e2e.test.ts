import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { create, itemId } from '../../bench/items.ts';
import { fill } from '../../bench/seed.ts';
import { openSqliteStore } from '../../src/store/index.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const NAMES = [
  'agent.loop_ms',
  'cli.cold_ratio',
  'cycle.age_flatness',
  'cycle.flatness',
  'cycle.per_s',
  'cycle.per_s',
  'cycle.vs_bare_full',
  'cycle.vs_bare_normal',
  'detail.p50_ms',
  'http.head_over_store_ms',
  'http.head_p50_ms',
  'http.list_over_store_ms',
  'http.list_p50_ms',
  'idle.rss_mb',
  'list.p50_ms',
  'loop.stall_ms',
  'recover.1000_ms',
  'turn.overhead_ms',
  'wake.p50_ms',
  'wake.p99_ms',
];

/** These start the built program, and say so instead of failing where there is none. */
const NEED_DIST: ReadonlySet<unknown> = new Set(['cli.cold_ratio', 'idle.rss_mb']);

it('prints every figure as one JSON object per line', async () => {
  const args = ['--import', 'tsx', 'bench/main.ts', '--quick', '--json'];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines.map(({ name }) => name).sort()).toEqual(NAMES);
  for (const line of lines) {
    if (NEED_DIST.has(line.name) && 'skipped' in line) expect(line.skipped).toMatch(/^dist is missing/);
    else expect(line, String(line.skipped)).toMatchObject({ value: expect.any(Number), unit: expect.any(String) });
  }
});

it('fills stores with rows that the doctor derives from the events as well', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wc-bench-'));
  const path = join(directory, 'workcenter.db');
  try {
    const open = Array.from({ length: 120 }, (_, index) => create(itemId(index), index));
    const drafts = Array.from({ length: 30 }, (_, index) => create(itemId(index, 'd'), index, { start: false }));
    await fill(path, [...open, ...drafts]);
    const store = await openSqliteStore({ path, durability: 'normal' });
    expect(await store.doctor()).toMatchObject({ healthy: true, items: 150, findings: [] });
    expect((await store.list({ limit: 1 })).counts).toMatchObject({ active: 120, draft: 30 });
    await store.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
