import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitRepository } from './repository.ts';

/** Gives `work` the path of an index file of its own, next to the engine's objects, and removes it afterwards. */
export async function withTemporaryIndex<T>(repo: GitRepository, work: (indexFile: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(repo.gitDir, 'index-'));
  try {
    return await work(join(directory, 'index'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
