import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './file-errors.ts';

/** One character per byte, so that a name that is not UTF-8 stays what it is. Relative, `/` between parts. */
type BytePath = string;

export interface CopyWithin {
  /** A real path, as `realpath` says it. */
  readonly root: string;
  readonly paths: readonly BytePath[];
  /** A directory of ours; what is copied gets the same path in it. */
  readonly to: string;
  /** Larger files are not copied. */
  readonly maxFileBytes: number;
  /** When this is reached, nothing more is copied. */
  readonly maxBytes: number;
}

/** Why something was not copied: `gone` also when it is no file any more, or not reached without a link. */
export type NotCopied = 'gone' | 'too_large' | 'unreadable';

export interface Copied {
  readonly copied: readonly BytePath[];
  readonly left: ReadonlyMap<BytePath, NotCopied>;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Where the system shows what is open: a folder is then entered by what was opened, whatever stands there by now. */
const OPEN_FILES = '/proc/self/fd';

const bytes = (path: BytePath): Buffer => Buffer.from(path, 'latin1');
const under = (folder: string | Buffer, name: BytePath): Buffer =>
  Buffer.concat([Buffer.from(folder), Buffer.from('/'), bytes(name)]);

/**
 * Copies files and links of a directory while others write in it: each as it was at one moment, cut short or left out
 * at worst. Links are copied as links and never followed, neither at the end of a path nor on the way, so nothing from
 * outside of `root` is ever read; where the system does not show what is open, a folder is looked at before and after.
 */
export async function copyWithin({ root, paths, to, maxFileBytes, maxBytes }: CopyWithin): Promise<Copied> {
  const copied: BytePath[] = [];
  const left = new Map<BytePath, NotCopied>();
  let room = maxBytes;
  for (const [folder, names] of byFolder(paths)) {
    const place = await entered(root, folder);
    const target = folder === '' ? Buffer.from(to) : under(to, folder);
    if (place) await mkdir(target, { recursive: true });
    for (const name of names) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const most = Math.min(maxFileBytes, room);
      const result = place ? await copyOne(under(place.path, name), under(target, name), most) : 'gone';
      if (typeof result === 'number' && (await place?.isStill())) copied.push(path);
      else left.set(path, typeof result === 'number' ? 'gone' : result);
      if (typeof result === 'number') room -= result;
    }
    await place?.close();
  }
  return { copied, left };
}

function byFolder(paths: readonly BytePath[]): ReadonlyMap<BytePath, readonly BytePath[]> {
  const folders = new Map<BytePath, BytePath[]>();
  for (const path of paths) {
    const cut = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, cut));
    const names = folders.get(folder) ?? [];
    names.push(path.slice(cut + 1));
    folders.set(folder, names);
  }
  return folders;
}

interface Entered {
  readonly path: string | Buffer;
  /** False: it was another folder after all. */
  isStill(): Promise<boolean>;
  close(): Promise<void>;
}

/** A folder below `root` that is reached through no link; undefined when there is none. */
async function entered(root: string, folder: BytePath): Promise<Entered | undefined> {
  const wanted = folder === '' ? Buffer.from(root) : under(root, folder);
  const handle = await open(wanted, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (!handle) return undefined;
  const opened = join(OPEN_FILES, String(handle.fd));
  const isThere = async (): Promise<boolean> => (await realOf(wanted))?.equals(wanted) === true;
  const shown = await readlink(opened, { encoding: 'buffer' }).catch(() => undefined);
  if (shown ? shown.equals(wanted) : await isThere()) {
    const close = (): Promise<void> => handle.close();
    return shown ? { path: opened, isStill: async () => true, close } : { path: wanted, isStill: isThere, close };
  }
  await handle.close();
  return undefined;
}

const realOf = (path: Buffer): Promise<Buffer | undefined> =>
  realpath(path, { encoding: 'buffer' }).catch(() => undefined);

/** Answers the bytes that were copied. */
async function copyOne(from: Buffer, to: Buffer, maxBytes: number): Promise<number | NotCopied> {
  // Opening a named pipe without a writer would wait for ever without O_NONBLOCK.
  const file = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => errorCode(error) ?? '');
  if (file === 'ELOOP' || file === 'EMLINK') return copyLink(from, to);
  if (typeof file === 'string') return file === 'EACCES' || file === 'EPERM' ? 'unreadable' : 'gone';
  try {
    const info = await file.stat();
    if (!info.isFile()) return 'gone';
    return info.size > maxBytes ? 'too_large' : await copyBytes(file, info, to);
  } catch {
    return 'unreadable';
  } finally {
    await file.close();
  }
}

async function copyBytes(file: FileHandle, { size, mode }: Stats, to: Buffer): Promise<number> {
  const body = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(body, length, size - length, length);
    // It has become shorter meanwhile.
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const copy = await open(to, 'wx', mode & 0o100 ? 0o755 : 0o644);
  try {
    await copy.writeFile(body.subarray(0, length));
  } finally {
    await copy.close();
  }
  return length;
}

async function copyLink(from: Buffer, to: Buffer): Promise<number | NotCopied> {
  const target = await readlink(from, { encoding: 'buffer' }).catch(() => undefined);
  if (!target) return 'gone';
  await symlink(target, to);
  return target.length;
}
