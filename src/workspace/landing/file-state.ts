import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatIfAny } from '../files/look.ts';
import { LINK, SUBMODULE, type TreeChange, type TreeEntry } from '../git/diff.ts';
import { runGitBytes } from '../git/run-git.ts';
import { runUserGit } from '../user-repository/user-git.ts';

/**
 * What the working tree holds at a path that a landing touches.
 *
 * | State | Meaning | May a landing that was interrupted overwrite it? |
 * | --- | --- | --- |
 * | `target` | what the target commit has (D32: ours) | nothing to do |
 * | `base` | what was checked out before | yes |
 * | `absent` | nothing, or an empty place for it | yes, no byte is lost |
 * | `partial` | a beginning of the target's content, or its content with another mode | yes, no byte is lost |
 * | `foreign` | anything else: the user's | never |
 */
export type FileState = 'target' | 'base' | 'absent' | 'partial' | 'foreign';

export interface WorkingTree {
  readonly path: string;
  /** Where blobs are read from; must hold both commits. */
  readonly gitDir: string;
  readonly userEnv: Readonly<Record<string, string>>;
}

/** Classifies one path; `changes` is the whole landing by path, needed where a file becomes a directory or back. */
export async function fileState(
  tree: WorkingTree,
  change: TreeChange,
  changes: ReadonlyMap<string, TreeChange>,
): Promise<FileState> {
  if (change.base?.mode === SUBMODULE || change.target?.mode === SUBMODULE) return 'base';
  if (await obstructed(tree, change.path, changes)) return 'foreign';
  const stats = await lstatIfAny(join(tree.path, change.path));
  if (stats === undefined) return change.target === null ? 'target' : 'absent';
  if (stats.isDirectory()) return (await holdsOnlyOldPaths(tree, change.path, changes)) ? 'absent' : 'foreign';
  return contentState(tree, change, stats);
}

async function contentState(tree: WorkingTree, change: TreeChange, stats: Stats): Promise<FileState> {
  const found = await readEntry(join(tree.path, change.path), stats);
  if (found === null) return 'foreign';
  const isTarget = change.target === null ? 'no' : await compare(tree, change.path, change.target, found);
  if (isTarget === 'same') return change.target?.mode === found.mode ? 'target' : 'partial';
  const isBase = change.base === null ? 'no' : await compare(tree, change.path, change.base, found);
  if (isBase === 'same' && change.base?.mode === found.mode) return 'base';
  return isTarget === 'prefix' ? 'partial' : 'foreign';
}

interface Found {
  readonly mode: string;
  readonly bytes: Buffer;
}

async function readEntry(path: string, stats: Stats): Promise<Found | null> {
  if (stats.isSymbolicLink()) return { mode: LINK, bytes: await readlink(path, { encoding: 'buffer' }) };
  if (!stats.isFile()) return null;
  return { mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', bytes: await readFile(path) };
}

async function compare(
  tree: WorkingTree,
  path: string,
  entry: TreeEntry,
  found: Found,
): Promise<'same' | 'prefix' | 'no'> {
  if ((entry.mode === LINK) !== (found.mode === LINK)) return 'no';
  if (blobId(found.bytes, entry.oid.length) === entry.oid) return 'same';
  const blob = await runGitBytes(['cat-file', 'blob', entry.oid], { gitDir: tree.gitDir });
  if (blob.code !== 0) return 'no';
  const stored = Buffer.from(blob.stdout);
  if (found.mode === LINK) return 'no';
  // Line endings alone are no edit: which ones a checkout gets may depend on an attributes file of the same landing.
  const plain = relation(unixLines(found.bytes), unixLines(stored));
  if (plain !== 'no') return plain;
  const options = { cwd: tree.path, userEnv: tree.userEnv };
  const shown = await runUserGit(
    ['--git-dir', tree.gitDir, 'cat-file', '--filters', `--path=${path}`, entry.oid],
    options,
  );
  return shown.code === 0 ? relation(found.bytes, shown.stdout) : 'no';
}

function relation(found: Buffer, whole: Buffer): 'same' | 'prefix' | 'no' {
  if (found.equals(whole)) return 'same';
  return found.length < whole.length && whole.subarray(0, found.length).equals(found) ? 'prefix' : 'no';
}

function unixLines(bytes: Buffer): Buffer {
  return bytes.includes('\r\n') ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : bytes;
}

function blobId(bytes: Buffer, hexLength: number): string {
  const hash = createHash(hexLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** True when a parent of the path is something other than a directory that this landing itself takes away. */
async function obstructed(tree: WorkingTree, path: string, changes: ReadonlyMap<string, TreeChange>): Promise<boolean> {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = await lstatIfAny(join(tree.path, parent));
    if (stats === undefined || stats.isDirectory()) continue;
    const change = changes.get(parent);
    if (change === undefined || change.base === null || change.target !== null) return true;
  }
  return false;
}

async function holdsOnlyOldPaths(
  tree: WorkingTree,
  path: string,
  changes: ReadonlyMap<string, TreeChange>,
): Promise<boolean> {
  const entries = await readdir(join(tree.path, path), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .every((entry) => {
      const inside = join(entry.parentPath, entry.name).slice(tree.path.length + 1);
      return changes.get(inside)?.base != null;
    });
}
