import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyDirectory, copyPaths } from '../files/copy-directory.ts';

/**
 * Layout of the cache: `<root>/<key>/content/…` in the shape of the checkout, and `<root>/<key>/complete`, a JSON note
 * written before the entry gets its name. A directory that starts with `.` is somebody's unfinished work.
 */
const CONTENT = 'content';
const COMPLETE = 'complete';

export interface StoreSetupRequest {
  readonly cacheRoot: string;
  /** From `setupKey`. */
  readonly key: string;
  readonly checkoutPath: string;
  /** What the checkout held before the set-up ran: {@link listCheckout}. */
  readonly checkoutBefore: ReadonlySet<string>;
}

export type StoreSetupResult =
  | { readonly kind: 'stored'; readonly added: readonly string[]; readonly bytes: number }
  /** Another builder of the same key was first; its result stands. */
  | { readonly kind: 'present' };

/** Every path of a checkout (directories too), relative, without the top-level `.git`. Links are not followed. */
export async function listCheckout(checkoutPath: string): Promise<Set<string>> {
  const paths = new Set<string>();
  await walk(checkoutPath, '', async (path) => {
    paths.add(path);
    return true;
  });
  return paths;
}

/**
 * Puts what a set-up added to a clean checkout into the cache: new files and directories, ignored or not, never a
 * change of what was there. The checkout keeps its own. The entry appears whole or not at all.
 */
export async function storeSetup(request: StoreSetupRequest): Promise<StoreSetupResult> {
  const entry = join(request.cacheRoot, request.key);
  if (existsSync(join(entry, COMPLETE))) return { kind: 'present' };
  const added = await addedPaths(request.checkoutPath, request.checkoutBefore);
  const building = join(request.cacheRoot, `.${request.key}-${randomUUID()}`);
  await mkdir(join(building, CONTENT), { recursive: true });
  try {
    for (const [folder, paths] of byFolder(added)) {
      const to = join(building, CONTENT, folder);
      await mkdir(to, { recursive: true });
      const sources = paths.map((path) => join(request.checkoutPath, path));
      // One command line has its limits; a set-up that drops thousands of files into one folder does not.
      for (let from = 0; from < sources.length; from += 500) await copyPaths(sources.slice(from, from + 500), to);
    }
    const bytes = await treeBytes(join(building, CONTENT));
    await writeFile(join(building, COMPLETE), `${JSON.stringify({ bytes, added })}\n`);
    return (await takeName(building, entry)) ? { kind: 'stored', added, bytes } : { kind: 'present' };
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/**
 * Copies a stored set-up into a checkout: modes and symbolic links as stored, no inode shared, so that nothing that is
 * done there reaches the cache. `hit: false` leaves `into` alone.
 */
export async function provideSetup(request: {
  readonly cacheRoot: string;
  readonly key: string;
  readonly into: string;
  /** Milliseconds since the epoch; noted as the last use. */
  readonly now: number;
}): Promise<{ readonly hit: boolean }> {
  const entry = join(request.cacheRoot, request.key);
  const marker = join(entry, COMPLETE);
  if (!existsSync(marker)) return { hit: false };
  // Touched first: an eviction that runs meanwhile then takes an entry that is not in use.
  const used = new Date(request.now);
  await utimes(marker, used, used);
  await copyDirectory(join(entry, CONTENT), request.into);
  return { hit: true };
}

export interface EvictedSetup {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Removes the least recently used entries until the cache holds at most `maxBytes`; those in `keep` stay whatever
 * they weigh. Leftovers of builders older than `abandonedBefore` (milliseconds since the epoch) go too.
 */
export async function evictSetups(request: {
  readonly cacheRoot: string;
  readonly keep: ReadonlySet<string>;
  readonly maxBytes: number;
  readonly abandonedBefore: number;
}): Promise<EvictedSetup[]> {
  const names = await readdir(request.cacheRoot).catch(() => []);
  const entries = (await Promise.all(names.map((name) => inspect(request.cacheRoot, name)))).filter((e) => e !== null);
  for (const entry of entries) {
    if (entry.unfinished && entry.usedAt < request.abandonedBefore) await remove(request.cacheRoot, entry.key);
  }
  const finished = entries.filter((entry) => !entry.unfinished).sort((a, b) => a.usedAt - b.usedAt);
  let total = finished.reduce((sum, entry) => sum + entry.bytes, 0);
  const evicted: EvictedSetup[] = [];
  for (const { key, bytes } of finished) {
    if (total <= request.maxBytes) break;
    if (request.keep.has(key)) continue;
    await remove(request.cacheRoot, key);
    total -= bytes;
    evicted.push({ key, bytes });
  }
  return evicted;
}

async function inspect(root: string, name: string) {
  const unfinished = name.startsWith('.');
  const path = unfinished ? join(root, name) : join(root, name, COMPLETE);
  const stats = await stat(path).catch(() => null);
  if (stats === null) return null;
  const bytes = unfinished ? 0 : noteBytes(await readFile(path, 'utf8'));
  return { key: name, unfinished, usedAt: stats.mtimeMs, bytes };
}

function noteBytes(text: string): number {
  const note: unknown = JSON.parse(text);
  const bytes = typeof note === 'object' && note !== null && 'bytes' in note ? note.bytes : 0;
  return typeof bytes === 'number' ? bytes : 0;
}

/** Loses its name first, so that nobody is given half of it. */
async function remove(root: string, name: string): Promise<void> {
  const doomed = name.startsWith('.') ? join(root, name) : join(root, `.${name}-${randomUUID()}`);
  if (!name.startsWith('.')) await rename(join(root, name), doomed);
  await rm(doomed, { recursive: true, force: true });
}

/** A directory cannot be renamed onto one that has content: the first builder wins. */
async function takeName(building: string, entry: string): Promise<boolean> {
  try {
    await rename(building, entry);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** The topmost paths that are new; a new directory stands for all it holds. */
async function addedPaths(checkoutPath: string, before: ReadonlySet<string>): Promise<string[]> {
  const added: string[] = [];
  await walk(checkoutPath, '', async (path) => {
    if (before.has(path)) return true;
    added.push(path);
    return false;
  });
  return added.sort();
}

function byFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return folders;
}

/** Visits depth first; `enter` answers whether to go into a directory. */
async function walk(root: string, folder: string, enter: (path: string) => Promise<boolean>): Promise<void> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (folder === '' && entry.name === '.git') continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if ((await enter(path)) && entry.isDirectory()) await walk(root, path, enter);
  }
}

async function treeBytes(root: string): Promise<number> {
  let bytes = 0;
  await walk(root, '', async (path) => {
    const stats = await lstat(join(root, path));
    if (stats.isFile()) bytes += stats.size;
    return true;
  });
  return bytes;
}
