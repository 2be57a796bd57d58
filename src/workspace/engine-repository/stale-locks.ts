import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Git holds the lock of a ref for milliseconds; one this old belongs to a process that a power cut ended. */
const STALE_AFTER_MS = 60_000;

/** Where git leaves locks in a bare repository that nobody but us writes to. */
const TOP_LOCKS = ['HEAD.lock', 'packed-refs.lock', 'config.lock', 'shallow.lock'];

/**
 * Removes locks that a dead git left in an engine's own repository: with one of them no ref of it could ever move
 * again. Never for a repository of the user. Answers what was removed.
 */
export async function clearStaleLocks(gitDir: string, now: number): Promise<readonly string[]> {
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => []);
  const locks = [...TOP_LOCKS, ...refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))];
  const removed: string[] = [];
  for (const lock of locks) {
    const path = join(gitDir, lock);
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile() || now - info.mtimeMs < STALE_AFTER_MS) continue;
    await unlink(path).catch(() => undefined);
    removed.push(lock);
  }
  return removed;
}
