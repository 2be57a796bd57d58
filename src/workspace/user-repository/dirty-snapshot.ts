import { existsSync } from 'node:fs';
import { copyFile, lstat, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitTree, type Stamp } from '../git/commit.ts';
import { git } from '../git/run-git.ts';
import { runUserGit, userGit } from './user-git.ts';

export interface SnapshotLimits {
  /** A larger file is left out and named. */
  readonly maxFileBytes: number;
  /** More than this in all and no snapshot is made. */
  readonly maxTotalBytes: number;
}

const DEFAULT_SNAPSHOT_LIMITS: SnapshotLimits = Object.freeze({
  maxFileBytes: 50 * 1024 * 1024,
  maxTotalBytes: 500 * 1024 * 1024,
});

export interface SnapshotRequest extends Stamp {
  readonly userGitDir: string;
  /** The checkout whose edits are meant. */
  readonly topLevel: string;
  readonly itemId: string;
  /** What is checked out there; becomes the snapshot's parent. */
  readonly head: string;
  readonly userEnv: Readonly<Record<string, string>>;
  readonly limits?: SnapshotLimits;
  /** Directory for our own index file; defaults to the system's temporary directory. */
  readonly scratchDir?: string;
}

/** An edit that the snapshot does not hold. */
export interface LeftOut {
  readonly path: string;
  readonly bytes: number;
  readonly why: 'too_large' | 'not_a_file' | 'nested_repository';
}

export type SnapshotResult =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'snapshot';
      readonly commit: string;
      readonly ref: string;
      readonly paths: readonly string[];
      readonly omitted: readonly LeftOut[];
    }
  | { readonly kind: 'too_large'; readonly bytes: number; readonly limitBytes: number };

/** The private ref of an item's dirty state in the user's repository. */
const dirtyRef = (itemId: string): string => `refs/workcenter/${itemId}/dirty`;

/**
 * D30: records tracked and untracked (not ignored) edits of a checkout as a commit on `refs/workcenter/<itemId>/dirty`. Works on a copy of the
 * index; the user's index, files, branches and stash stay as they are. The same edits at the same stamp give the same commit.
 */
export async function snapshotDirty(request: SnapshotRequest): Promise<SnapshotResult> {
  const limits = request.limits ?? DEFAULT_SNAPSHOT_LIMITS;
  const edited = await editedPaths(request);
  const { kept, omitted, bytes } = await sift(request.topLevel, edited, limits.maxFileBytes);
  if (bytes > limits.maxTotalBytes) return { kind: 'too_large', bytes, limitBytes: limits.maxTotalBytes };
  if (edited.length === 0) return { kind: 'clean' };
  const tree = await writeDirtyTree(request, kept);
  const message = `Uncommitted work at the start of ${request.itemId}\n`;
  const commit = await commitTree({ gitDir: request.userGitDir }, tree, [request.head], {
    author: request.author,
    at: request.at,
    message,
  });
  const ref = dirtyRef(request.itemId);
  await git(['update-ref', ref, commit], { gitDir: request.userGitDir });
  return { kind: 'snapshot', commit, ref, paths: kept, omitted };
}

async function editedPaths(request: SnapshotRequest): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'];
  const text = await userGit(args, { cwd: request.topLevel, userEnv: request.userEnv });
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}

async function sift(
  topLevel: string,
  paths: readonly string[],
  maxFileBytes: number,
): Promise<{ kept: string[]; omitted: LeftOut[]; bytes: number }> {
  const kept: string[] = [];
  const omitted: LeftOut[] = [];
  let bytes = 0;
  for (const path of paths) {
    const stats = await lstat(join(topLevel, path)).catch(() => null);
    const size = stats?.isFile() ? stats.size : 0;
    // A trailing slash is git's way to show a repository inside: its files are its own affair.
    if (path.endsWith('/')) omitted.push({ path, bytes: 0, why: 'nested_repository' });
    else if (size > maxFileBytes) omitted.push({ path, bytes: size, why: 'too_large' });
    else if (stats !== null && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory()) {
      omitted.push({ path, bytes: 0, why: 'not_a_file' });
    } else {
      kept.push(path);
      bytes += size;
    }
  }
  return { kept, omitted, bytes };
}

async function writeDirtyTree(request: SnapshotRequest, paths: readonly string[]): Promise<string> {
  const indexFile = join(request.scratchDir ?? tmpdir(), `workcenter-${request.itemId}-${process.pid}.index`);
  const options = { cwd: request.topLevel, userEnv: request.userEnv, indexFile };
  try {
    // A copy keeps what git knows about unchanged files, so that only edited ones are read.
    const gitDir = (await userGit(['rev-parse', '--absolute-git-dir'], options)).replace(/\n$/, '');
    if (existsSync(join(gitDir, 'index'))) await copyFile(join(gitDir, 'index'), indexFile);
    const input = paths.map((path) => `${path}\0`).join('');
    const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    await userGit(update, { ...options, input });
    const written = await runUserGit(['write-tree'], options);
    if (written.code !== 0) throw new Error(`the edits of ${request.topLevel} make no tree: ${written.stderr}`);
    return written.stdout.toString('utf8').trim();
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}
