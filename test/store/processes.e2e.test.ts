import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { compiledScript } from '../support/compiled-script.ts';
import { create } from './items.ts';
import { withFiles } from './sqlite-files.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

const SCRIPT = await compiledScript(new URL('./child.ts', import.meta.url));

function start(...args: readonly string[]): { readonly child: Child; readonly lines: string[] } {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines };
}

type Started = ReturnType<typeof start>;

/** Resolves when the child has said what is waited for. */
async function until(started: Started, enough: (lines: readonly string[]) => boolean): Promise<void> {
  while (!enough(started.lines)) await once(started.child.stdout, 'data');
}

async function ended({ child }: Started): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

/** Lets all of them begin at once, and waits until they have ended. */
async function together(all: readonly Started[]): Promise<void> {
  try {
    await Promise.all(all.map((started) => until(started, (lines) => lines.includes('ready'))));
    for (const { child } of all) child.stdin.end('go\n');
    expect(await Promise.all(all.map(ended))).toEqual(all.map(() => 0));
  } finally {
    for (const { child } of all) child.kill('SIGKILL');
    await Promise.all(all.map(ended));
  }
}

test(
  'twenty processes that open an old schema at once migrate it once',
  () =>
    withFiles(async ({ path }) => {
      await copyFile(join(import.meta.dirname, 'fixtures', 'schema-1.db'), path);
      const all = Array.from({ length: 20 }, (_, index) => start('migrate', path, `p${index}`));
      await together(all);
      expect(all.map(({ lines }) => lines.at(-1))).toEqual(all.map(() => 'items 4'));
      const db = new Database(path);
      const marks = db.prepare('SELECT count(*) AS n FROM marks').get();
      db.close();
      expect(marks).toEqual({ n: 1 });
    }),
  120_000,
);

test(
  'of three processes that claim the same items each item has one winner',
  () =>
    withFiles(async ({ open, path }) => {
      const store = await open();
      const count = 60;
      for (let index = 0; index < count; index++) await store.execute(create(`i${index}`));
      const all = ['a', 'b', 'c'].map((name) => start('race', path, name, String(count)));
      await together(all);
      const said = all.flatMap(({ lines }) => lines.filter((line) => line !== 'ready'));
      expect(said.toSorted()).toEqual(Array.from({ length: count }, (_, index) => `won i${index}`).toSorted());
      expect((await store.liveRuns()).length).toBe(count);
      expect((await store.doctor()).findings).toEqual([]);
    }),
  120_000,
);

test(
  'what a process was told is done survives kill -9, and the file is sound',
  () =>
    withFiles(async ({ open, path }) => {
      for (const round of ['one', 'two']) {
        const worker = start('work', path, round);
        try {
          await until(worker, (lines) => lines.length >= 40);
        } finally {
          worker.child.kill('SIGKILL');
          await ended(worker);
        }
        const store = await open();
        const told = new Map(
          worker.lines.map((line): [string, number] => {
            const [id = '', version = '0'] = line.split(' ');
            return [id, Number(version)];
          }),
        );
        for (const [id, version] of told) {
          expect((await store.load(id))?.version).toBeGreaterThanOrEqual(version);
        }
        expect((await store.doctor()).findings).toEqual([]);
      }
    }),
  120_000,
);
