import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Longer than any run of the tests takes, so that nothing is taken from under a run. */
const KEPT_MS = 3 * 60 * 60_000;

/** When anything beneath the folders changed last, in epoch milliseconds. */
export async function newestIn(folders: readonly string[]): Promise<number> {
  const times = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
    }),
  );
  return Math.max(0, ...times.flat());
}

/**
 * The folder of what is built from the source for tests: once for each state of the source, however many files of
 * tests ask for it. It lies where the packages are found. `build` fills the folder that it is given.
 */
export async function builtOnce(
  name: string,
  newest: number,
  build: (target: string) => Promise<unknown>,
): Promise<string> {
  const states = join(ROOT, 'node_modules', '.cache', name);
  const target = join(states, String(Math.round(newest)));
  if (existsSync(target)) {
    await utimes(target, new Date(), new Date());
    return target;
  }
  const own = `${target}.${randomUUID()}`;
  await mkdir(dirname(own), { recursive: true });
  await build(own);
  try {
    await rename(own, target);
  } catch {
    // Another file of tests was faster with the same.
    await rm(own, { recursive: true, force: true });
  }
  await removeOld(states);
  return target;
}

async function removeOld(states: string): Promise<void> {
  for (const name of await readdir(states)) {
    const path = join(states, name);
    const at = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - at > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}
