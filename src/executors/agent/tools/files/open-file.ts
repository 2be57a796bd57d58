import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isMissing } from '../../../../workspace/files/file-errors.ts';
import { type Checked, found, type PathProblemCode, type Place, problem, quote } from '../../path-safety.ts';

/** Never through a link at the end, and never waiting for the other side of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FOLDER = READ | constants.O_DIRECTORY;

/** An open folder. Names below `at` reach this very folder, whatever its path leads to by now. */
export interface OpenFolder {
  at(name: string): string;
  /** Path of the folder itself, for `readdir`. */
  readonly self: string;
  close(): Promise<void>;
}

export type FileTarget = Pick<Place, 'real' | 'shown' | 'stats'>;

/**
 * Opens what `resolvePlace` found, and refuses when its path leads elsewhere by now (T11): a link that was swapped in
 * ends in `changed_meanwhile`. The caller closes the handle.
 */
export async function openRegular(target: FileTarget): Promise<Checked<FileHandle>> {
  const wrong = notRegular(target);
  if (wrong !== undefined) return wrong;
  return openVerified(target, READ);
}

/** A folder, held open so that no link can be put in its place. The caller closes it. */
export async function openFolder(target: FileTarget): Promise<Checked<OpenFolder>> {
  if (target.stats === undefined) return missing(target);
  if (!target.stats.isDirectory()) {
    return problem('not_a_directory', `Expected a folder at ${quote(target.shown)}, found a file. Name its folder.`);
  }
  const handle = await openVerified(target, FOLDER);
  return handle.ok ? found(await folderOf(handle.value, target.real)) : handle;
}

/** Reads a whole regular file of at most `maxBytes`; larger is `too_large`, also when it grows while it is read. */
export async function readBounded(target: FileTarget, maxBytes: number): Promise<Checked<Buffer>> {
  const opened = await openRegular(target);
  if (!opened.ok) return opened;
  const handle = opened.value;
  try {
    const info = await handle.stat();
    if (!info.isFile()) return problem('not_a_file', notFileText(target));
    if (info.size > maxBytes) return tooLarge(target, info.size, maxBytes);
    return await readAll(handle, target, maxBytes);
  } finally {
    await handle.close();
  }
}

async function readAll(handle: FileHandle, target: FileTarget, maxBytes: number): Promise<Checked<Buffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(256 * 1024), 0, 256 * 1024, null);
    if (bytesRead === 0) return found(Buffer.concat(parts, size));
    size += bytesRead;
    if (size > maxBytes) return tooLarge(target, size, maxBytes);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

/** What is wrong with reading `target` as a file; undefined when nothing is. */
export function notRegular(target: FileTarget): Checked<never> | undefined {
  if (target.stats === undefined) return missing(target);
  if (target.stats.isDirectory()) {
    return problem(
      'is_directory',
      `Expected a file at ${quote(target.shown)}, found a folder. Use list to see what is in it.`,
    );
  }
  return target.stats.isFile() ? undefined : problem('not_a_file', notFileText(target));
}

const notFileText = (target: FileTarget) =>
  `Expected a regular file at ${quote(target.shown)}, found a device, pipe or socket. It is not opened.`;

function missing(target: FileTarget): Checked<never> {
  return problem('not_found', `Nothing is at ${quote(target.shown)}. Use glob or list to find the right path.`);
}

function tooLarge(target: FileTarget, size: number, maxBytes: number): Checked<never> {
  const message = `Expected at most ${maxBytes} bytes at ${quote(target.shown)}, found ${size}. Use grep to find the part you need.`;
  return problem('too_large', message);
}

async function openVerified(target: FileTarget, flags: number): Promise<Checked<FileHandle>> {
  let handle: FileHandle;
  try {
    handle = await open(target.real, flags);
  } catch (error) {
    return openingFailed(target, error);
  }
  if (await isStillAt(handle, target.real)) return found(handle);
  await handle.close();
  return changed(target);
}

/**
 * True when the open file is the one at `real` and no link led there. The kernel's own word where there is one; else
 * the file's identity, which leaves a gap of two system calls.
 */
async function isStillAt(handle: FileHandle, real: string): Promise<boolean> {
  try {
    const actual = await readlink(`/proc/self/fd/${handle.fd}`);
    // A writer that replaced the file since has taken away its name, not led us astray.
    return actual === real || actual === `${real} (deleted)`;
  } catch {
    const [ours, there] = await Promise.all([handle.stat(), lstat(real).catch(() => undefined)]);
    return there !== undefined && ours.ino === there.ino && ours.dev === there.dev;
  }
}

async function folderOf(handle: FileHandle, real: string): Promise<OpenFolder> {
  const own = `/proc/self/fd/${handle.fd}`;
  const self = (await readlink(own).catch(() => undefined)) === undefined ? real : own;
  return { self, at: (name) => join(self, name), close: () => handle.close() };
}

const OPEN_PROBLEMS: Readonly<Record<string, PathProblemCode>> = {
  ENOENT: 'changed_meanwhile',
  ENOTDIR: 'changed_meanwhile',
  ELOOP: 'changed_meanwhile',
  ENXIO: 'not_a_file',
  EACCES: 'denied',
  EPERM: 'denied',
};

function openingFailed(target: FileTarget, error: unknown): Checked<never> {
  const code = OPEN_PROBLEMS[errorCode(error) ?? ''];
  if (code === undefined) throw error;
  if (code === 'changed_meanwhile') return changed(target);
  if (code === 'not_a_file') return problem(code, notFileText(target));
  return problem(
    code,
    `The system does not allow to open ${quote(target.shown)}. Its permissions would have to change.`,
  );
}

export function changed(target: Pick<FileTarget, 'shown'>): Checked<never> {
  const message = `${quote(target.shown)} was replaced while it was being opened. Nothing was done; look at it again.`;
  return problem('changed_meanwhile', message);
}

/** True when nothing is at the path. */
export async function isAbsent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}
