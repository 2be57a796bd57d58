import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { errorCode } from '../../../../workspace/files/file-errors.ts';
import { lstatIfAny } from '../../../../workspace/files/look.ts';
import { type Checked, found, type Place, problem, quote } from '../../path-safety.ts';
import { changed, type OpenFolder, openFolder } from './open-file.ts';

/** What is to stand at a place afterwards. `target.stats` is what was seen there; anything else ends the whole. */
export type FileChange =
  | {
      readonly kind: 'put';
      readonly target: Place;
      readonly content: Uint8Array /** Permission bits. */;
      readonly mode?: number;
    }
  | { readonly kind: 'remove'; readonly target: Place };

export interface ApplyOptions {
  readonly workspacePath: string;
  readonly signal: AbortSignal;
  /** Called before each change takes effect; what it throws undoes the ones before. For tests of the undoing. */
  readonly beforeEach?: (target: Place) => Promise<void>;
}

/** One change on its way: written beside its place, then moved there. */
interface Step {
  readonly change: FileChange;
  readonly folder: OpenFolder;
  readonly name: string;
  readonly temporary: string | undefined;
  /** Folders that were made for it, outermost first. */
  readonly made: readonly string[];
  /** Holds what was there before, until all is done. */
  backup?: string;
  done: boolean;
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const PERMISSIONS = 0o777;

/**
 * Makes all changes or none: everything is written beside its place first, then moved there one by one; the first
 * that fails takes back the ones before. Folders are held open from the top of the workspace down, so a link that is
 * swapped in cannot lead a write outside (T11). Missing folders are made; a file keeps its permissions.
 */
export async function applyChanges(changes: readonly FileChange[], options: ApplyOptions): Promise<Checked<void>> {
  const steps: Step[] = [];
  try {
    const outcome = await carryOut(changes, steps, options);
    if (outcome.ok) return outcome;
    return (await undoAll(steps)) ?? outcome;
  } catch (error) {
    const left = await undoAll(steps);
    if (options.signal.aborted) throw error;
    return left ?? writeFailed(error);
  } finally {
    for (const step of steps) await step.folder.close();
  }
}

async function carryOut(changes: readonly FileChange[], steps: Step[], options: ApplyOptions): Promise<Checked<void>> {
  for (const change of changes) {
    options.signal.throwIfAborted();
    const staged = await stage(change, options.workspacePath);
    if (!staged.ok) return staged;
    steps.push(staged.value);
  }
  for (const [index, step] of steps.entries()) {
    options.signal.throwIfAborted();
    await options.beforeEach?.(step.change.target);
    const done = await takeEffect(step, index === steps.length - 1);
    if (!done.ok) return done;
  }
  for (const step of steps) await removeIfAny(step.folder, step.backup);
  return found(undefined);
}

async function stage(change: FileChange, workspacePath: string): Promise<Checked<Step>> {
  const made: string[] = [];
  const folder = await openParent(workspacePath, change.target, made);
  if (!folder.ok) {
    await removeFolders(made);
    return folder;
  }
  try {
    const temporary = change.kind === 'put' ? await writeBeside(folder.value, change) : undefined;
    return found({ change, folder: folder.value, name: basename(change.target.real), temporary, made, done: false });
  } catch (error) {
    await removeFolders(made);
    await folder.value.close();
    throw error;
  }
}

/** Goes down from the top of the workspace, one held folder after the other, making those that are missing. */
async function openParent(workspacePath: string, target: Place, made: string[]): Promise<Checked<OpenFolder>> {
  let at = await openFolder({ real: workspacePath, shown: '.', stats: await lstat(workspacePath) });
  let path = workspacePath;
  for (const part of relative(workspacePath, dirname(target.real)).split(sep)) {
    if (!at.ok || part === '') return at;
    path = join(path, part);
    at = await openNext(at.value, part, { real: path, shown: target.shown }, made);
  }
  return at;
}

/** The folder `part` in `parent`, which is closed. */
async function openNext(parent: OpenFolder, part: string, target: Place, made: string[]): Promise<Checked<OpenFolder>> {
  try {
    if (await madeFolder(parent.at(part))) made.push(target.real);
    const stats = await lstat(parent.at(part));
    return stats.isDirectory() ? await openFolder({ ...target, stats }) : changed(target);
  } finally {
    await parent.close();
  }
}

async function madeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writeBeside(folder: OpenFolder, change: FileChange & { readonly kind: 'put' }): Promise<string> {
  const name = temporaryName();
  const mode = change.mode ?? change.target.stats?.mode;
  const handle = await open(folder.at(name), NEW_FILE, 0o666);
  try {
    await handle.writeFile(change.content);
    if (mode !== undefined) await handle.chmod(mode & PERMISSIONS);
  } catch (error) {
    await unlink(folder.at(name));
    throw error;
  } finally {
    await handle.close();
  }
  return name;
}

const temporaryName = () => `.workcenter-${randomUUID().slice(0, 13)}.tmp`;

async function takeEffect(step: Step, isLast: boolean): Promise<Checked<void>> {
  const { change, folder, name, temporary } = step;
  const now = await lstatIfAny(folder.at(name));
  if (!sameFile(now, change.target.stats)) return changed(change.target);
  // After the last change nothing can fail any more, so nothing has to be kept for it.
  if (now !== undefined && !isLast) step.backup = await keepCopy(folder, name);
  if (temporary === undefined) await unlink(folder.at(name));
  else await rename(folder.at(temporary), folder.at(name));
  step.done = true;
  return found(undefined);
}

function sameFile(now: Stats | undefined, seen: Stats | undefined): boolean {
  if (now === undefined || seen === undefined) return now === seen;
  const same = (['ino', 'dev', 'size', 'mtimeMs', 'ctimeMs'] as const).every((field) => now[field] === seen[field]);
  return same && now.isFile();
}

/** A second name for the file, or a copy where the file system has no links; the file itself is never absent. */
async function keepCopy(folder: OpenFolder, name: string): Promise<string> {
  const backup = temporaryName();
  try {
    await link(folder.at(name), folder.at(backup));
  } catch {
    await copyFile(folder.at(name), folder.at(backup), constants.COPYFILE_EXCL);
  }
  return backup;
}

/** Takes back in reverse order; a problem only for what could not be taken back. */
async function undoAll(steps: readonly Step[]): Promise<Checked<never> | undefined> {
  const left: string[] = [];
  for (const step of [...steps].reverse()) {
    try {
      await undo(step);
    } catch {
      left.push(quote(step.change.target.shown));
    }
  }
  if (left.length === 0) return undefined;
  return problem(
    'write_failed',
    `A change failed, and these could not be put back as they were: ${left.join(', ')}. Look at them.`,
  );
}

async function undo(step: Step): Promise<void> {
  const { folder, name, backup, temporary, done } = step;
  if (done && backup !== undefined) await rename(folder.at(backup), folder.at(name));
  else if (done) await unlink(folder.at(name));
  else await removeIfAny(folder, backup);
  if (!done) await removeIfAny(folder, temporary);
  await removeFolders(step.made);
}

async function removeIfAny(folder: OpenFolder, name: string | undefined): Promise<void> {
  if (name !== undefined) await rm(folder.at(name), { force: true });
}

async function removeFolders(made: readonly string[]): Promise<void> {
  // One that someone else has put something in stays.
  for (const path of [...made].reverse()) await rmdir(path).catch(() => undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'the system does not allow it',
  EPERM: 'the system does not allow it',
  EISDIR: 'a folder is in its place',
  ENAMETOOLONG: 'its name is too long',
};

/** Someone else is moving things about. */
const MOVED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST', 'ENOTEMPTY']);

function writeFailed(error: unknown): Checked<never> {
  if (MOVED.has(errorCode(error) ?? '')) {
    return problem(
      'changed_meanwhile',
      'Files were moved while they were being written. Nothing was done; look again.',
    );
  }
  const reason = REASONS[errorCode(error) ?? ''];
  if (reason === undefined) throw error;
  return problem('write_failed', `Nothing was changed: ${reason}. Choose another place or report it.`);
}
