import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './file-errors.ts';

/** Removes a directory tree, also through folders that were made read-only (module caches do that). */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
    await makeRemovable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeRemovable(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeRemovable(join(directory, entry.name));
  }
}
