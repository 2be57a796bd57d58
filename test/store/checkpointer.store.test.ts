import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CHECKPOINT_BOUNDS, checkpointer } from '../../src/store/sqlite/checkpointer.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { type Files, withFiles } from './sqlite-files.ts';

const PAGE_BYTES = 4_096;
const BODY_BYTES = 40_000;
const GUARD_MS = 60_000;

/** Small sizes, so that a short test sees the whole life of a log. */
const EARLY = { ...CHECKPOINT_BOUNDS, startAfterCommits: 4, everyCommits: 2, workPages: 20, restartPages: 100 };

const walBytes = ({ path }: Files): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

async function putBodies(store: SqliteStore, from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index++) {
    await store.putContent(`${index} ${'x'.repeat(BODY_BYTES)}`);
    // A thread that is not this one does the work: give the machine a chance to run it.
    await setImmediate();
  }
}

/** The size of the file itself grows only when somebody moves the log into it. */
const fileBytes = ({ path }: Files): number => statSync(path).size;

it('moves the log into the file beside the writer, however large a log the writer itself would bear', () =>
  withFiles(async (files) => {
    const store = await files.open({ checkpoints: { ...EARLY, besidePages: 1_000_000 } });
    const before = fileBytes(files);
    const guardMs = performance.now() + GUARD_MS;
    for (let at = 0; fileBytes(files) < before + 50 * BODY_BYTES; at += 10) {
      expect(performance.now(), 'nobody moved the log').toBeLessThan(guardMs);
      await putBodies(store, at, 10);
    }
    await store.close();
    expect(existsSync(`${files.path}-wal`)).toBe(false);
  }));

it('lets the log begin anew under constant writing instead of growing for ever', () =>
  withFiles(async (files) => {
    const store = await files.open({ checkpoints: { ...EARLY, besidePages: 1_000_000 } });
    const guardMs = performance.now() + GUARD_MS;
    let written = 0;
    let peak = 0;
    // Eight megabytes that make the log no longer than it was: only one that began anew has room for them.
    for (let calm = 0; calm < 200; ) {
      expect(performance.now(), `the log grew to ${peak} bytes`).toBeLessThan(guardMs);
      await putBodies(store, written, 10);
      written += 10;
      const now = walBytes(files);
      calm = now > peak ? 0 : calm + 10;
      peak = Math.max(peak, now);
    }
    await store.close();
  }));

it('starts no thread for a short command, whose log stays within the small bound', () =>
  withFiles(async (files) => {
    const bound = 50;
    const store = await files.open({ checkpoints: { ...CHECKPOINT_BOUNDS, alonePages: bound } });
    let peak = 0;
    for (let at = 0; at < CHECKPOINT_BOUNDS.startAfterCommits - 10; at++) {
      await putBodies(store, at, 1);
      peak = Math.max(peak, walBytes(files));
    }
    // One body is written before a commit can look at the size.
    expect(peak).toBeLessThan((bound + 20) * (PAGE_BYTES + 24) + 32);
    await store.close();
  }));

it('goes back to the small bound when the thread fails, and lets go of the file all the same', async () => {
  const bounds: number[] = [];
  const tending = checkpointer({
    path: '/nowhere/at/all.db',
    durability: 'normal',
    boundLog: (pages) => bounds.push(pages),
    bounds: { ...EARLY, startAfterCommits: 1 },
  });
  tending.committed();
  const guardMs = performance.now() + GUARD_MS;
  while (bounds.length < 2) {
    expect(performance.now(), 'the thread did not fail').toBeLessThan(guardMs);
    await setImmediate();
  }
  expect(bounds).toEqual([EARLY.besidePages, EARLY.alonePages]);
  tending.committed();
  await tending.stop();
  expect(bounds).toHaveLength(2);
});

it('closes without waiting for a thread that was never started', async () => {
  const tending = checkpointer({ path: '/nowhere', durability: 'full', boundLog: () => undefined });
  tending.committed();
  await tending.stop();
});

it('keeps no process alive that forgot to close its store', () =>
  withFiles(async ({ path }) => {
    const store = new URL('../../src/store/sqlite/open-sqlite-store.ts', import.meta.url).href;
    const commits = CHECKPOINT_BOUNDS.startAfterCommits + 10;
    const code = `const { openSqliteStore } = await import(${JSON.stringify(store)});
      const store = await openSqliteStore({ path: ${JSON.stringify(path)}, durability: 'normal' });
      for (let at = 0; at < ${commits}; at++) await store.putContent(String(at));
      console.log('written');`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', code];
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    // A hang guard: the process ends by itself, or is killed and the call rejects.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: GUARD_MS / 2 });
    expect(stdout.trim()).toBe('written');
  }));
