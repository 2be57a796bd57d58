import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { isMissing } from './file-errors.ts';

const MAX_SMALL_BYTES = 16 * 1024 * 1024;

/** What is at the path, a symbolic link as itself; undefined for nothing. */
export async function lstatIfAny(path: string | Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** As {@link lstatIfAny}, for whoever must not take a folder that may not be entered for files that were deleted. */
export async function lookAt(path: string | Buffer): Promise<Stats | 'unreadable' | undefined> {
  return lstatIfAny(path).catch(() => 'unreadable' as const);
}

/** True for a directory that is not reached through a symbolic link. */
export async function isRealDirectory(path: string): Promise<boolean> {
  return (await lstatIfAny(path))?.isDirectory() ?? false;
}

/** True for a file that is not reached through a symbolic link and is no device or pipe. */
export async function isRegularFile(path: string): Promise<boolean> {
  return (await lstatIfAny(path))?.isFile() ?? false;
}

/** The text of a regular file, or undefined when it is missing, a link, a device, or absurdly large. */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const info = await lstatIfAny(path);
  if (!info?.isFile() || info.size > MAX_SMALL_BYTES) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
