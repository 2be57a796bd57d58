import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { VP_LIMITS } from './vp.ts';
import type { VpComplaint } from './vp-problem.ts';

/** The `code` of a file system error, e.g. `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** True when `path` is `folder` or beneath it; both already without links. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

export type FileText = { readonly text: string } | { readonly complaint: VpComplaint };

export type FolderListing = { readonly names: readonly string[] } | { readonly complaint: VpComplaint };

const complain = (expected: string, found: string, next?: string): { readonly complaint: VpComplaint } => ({
  complaint: { field: '', expected, found, ...(next === undefined ? {} : { next }) },
});

const failed = (error: unknown): { readonly complaint: VpComplaint } =>
  complain('something readable', codeOf(error) ?? 'an error of the file system');

/**
 * The `.md` files of a folder by name, none for a folder that is not there. With `within`, a folder that links lead out
 * of that directory is refused: a project cannot lend a VP files of the machine.
 */
export async function listVpFiles(folder: string, within?: string): Promise<FolderListing> {
  try {
    const isStrange = within !== undefined && !isWithin(await realpath(folder), await realpath(within));
    if (isStrange)
      return complain('a folder inside the project', 'a link that leaves it', 'Replace the link by a folder.');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort();
    return { names };
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? { names: [] } : failed(error);
  }
}

/** The text of a file of the folder; a link is followed only inside the folder. Devices and pipes are never read. */
export async function readVpFile(folder: string, name: string): Promise<FileText> {
  let file: FileHandle | undefined;
  try {
    const path = await realpath(join(folder, name));
    if (!isWithin(path, await realpath(folder))) {
      return complain('a file of this folder', 'a link that leaves it', 'Copy the file here.');
    }
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return complain('a file', 'something else');
    return await textOf(file);
  } catch (error) {
    return failed(error);
  } finally {
    await file?.close();
  }
}

/** Reads one byte more than allowed, so that a file which grows meanwhile is noticed too. */
async function textOf(file: FileHandle): Promise<FileText> {
  const bytes = Buffer.alloc(VP_LIMITS.fileBytes + 1);
  let length = 0;
  for (let read = 1; read > 0 && length < bytes.length; length += read) {
    ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length));
  }
  if (length > VP_LIMITS.fileBytes) return complain(`at most ${VP_LIMITS.fileBytes} bytes`, 'more');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)) };
  } catch {
    return complain('UTF-8 text', 'other bytes');
  }
}
