import { chmod, lstat, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type CommitAuthor, ENGINE_AUTHOR } from './commit.ts';
import { errorCode, isMissing } from './file-errors.ts';
import { initBorrowing } from './object-store.ts';
import type { EngineRepository } from './repository.ts';
import { GitFailure, git, runGit } from './run-git.ts';
import { temporarySibling } from './temporary-sibling.ts';

/** The name under which a conflict workspace knows the commit being merged; it labels the conflict markers. */
export const INCOMING_BRANCH = 'incoming';

/** Written last into the workspace's git directory, for people who look; an executor may change it, so nothing trusts it. */
const RECORD = 'workcenter.json';

export type Preparation =
  /** `created` is false when the directory was there before: prepared earlier, perhaps worked in since. */
  | { readonly kind: 'ready'; readonly path: string; readonly created: boolean }
  /** Something that is not a directory is at the path. */
  | { readonly kind: 'occupied'; readonly path: string };

export interface WorkspaceRequest {
  readonly repo: EngineRepository;
  /** Absolute. Appears by rename, so it is complete or absent; one preparer at a time (the Run's lease). */
  readonly path: string;
  readonly commit: string;
  /** Short branch name to be on; detached without it. */
  readonly branch?: string;
  /** Who the executor's own commits are attributed to unless it says otherwise. */
  readonly identity?: CommitAuthor;
}

/**
 * An executor's workspace (D31): a clone with its own git directory that borrows the engine's objects and has no
 * remote, no hooks and no ref but its branch, checked out at `commit`.
 */
export function prepareWorkspace(request: WorkspaceRequest): Promise<Preparation> {
  return appear(request.path, (temporary) => checkOut(request, temporary));
}

/** A detached, clean checkout of `commit`, for checks. */
export function prepareCheckout(request: Omit<WorkspaceRequest, 'branch' | 'identity'>): Promise<Preparation> {
  return appear(request.path, (temporary) => checkOut(request, temporary));
}

/**
 * A workspace in the middle of merging `theirs` into `ours` (D32): conflict markers in the files, unmerged index,
 * MERGE_HEAD and the message set, so `git status` and `git commit` work as in any conflicted merge.
 */
export function prepareConflictWorkspace(
  request: Omit<WorkspaceRequest, 'commit'> & {
    readonly ours: string;
    readonly theirs: string;
    readonly message: string;
  },
): Promise<Preparation> {
  return appear(request.path, async (temporary) => {
    await checkOut({ ...request, commit: request.ours }, temporary);
    const own = { gitDir: join(temporary, '.git'), workTree: temporary };
    await git(['update-ref', `refs/heads/${INCOMING_BRANCH}`, request.theirs], own);
    const merge = ['merge', '--no-commit', '--no-ff', '--no-stat', '-m', request.message, INCOMING_BRANCH];
    const args = ['-c', `user.name=${ENGINE_AUTHOR.name}`, '-c', `user.email=${ENGINE_AUTHOR.email}`, ...merge];
    const result = await runGit(args, own);
    if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  });
}

export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: 'outside_root' | 'is_root' | 'is_symlink' };

/**
 * Removes a workspace directory, only when it really lies inside `root`. It is renamed first, so that a removal cut
 * short never looks like a workspace; calling again finishes it.
 */
export async function removeWorkspace(path: string, bounds: { readonly root: string }): Promise<Removal> {
  const root = await realpath(bounds.root);
  const parent = await realpathIfAny(dirname(path));
  if (parent === undefined) return { kind: 'absent' };
  const real = join(parent, basename(path));
  if (real === root) return { kind: 'refused', reason: 'is_root' };
  if (!real.startsWith(root + sep)) return { kind: 'refused', reason: 'outside_root' };
  const leaving = `${real}.removing`;
  await removeTree(leaving);
  const info = await lstatIfAny(real);
  if (info === undefined) return { kind: 'absent' };
  if (info.isSymbolicLink()) return { kind: 'refused', reason: 'is_symlink' };
  await rename(real, leaving);
  await removeTree(leaving);
  return { kind: 'removed' };
}

/**
 * Makes a fresh git directory for a workspace at `gitDir`: HEAD at `commit`, on `branch` where given. Also how a
 * reset gets rid of whatever an executor did to the old one.
 */
export async function writeWorkspaceGitDir(
  gitDir: string,
  request: Pick<WorkspaceRequest, 'repo' | 'commit' | 'branch' | 'identity'>,
): Promise<void> {
  const { repo, commit, branch, identity = ENGINE_AUTHOR } = request;
  await initBorrowing(gitDir, repo.gitDir, { bare: false });
  const own = { gitDir };
  await git(['config', 'user.name', identity.name], own);
  await git(['config', 'user.email', identity.email], own);
  await git(['config', 'commit.gpgSign', 'false'], own);
  if (branch === undefined) {
    await git(['update-ref', '--no-deref', 'HEAD', commit], own);
  } else {
    await git(['check-ref-format', '--branch', branch], own);
    await git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`], own);
    await git(['update-ref', 'HEAD', commit], own);
  }
  await writeFile(join(gitDir, RECORD), `${JSON.stringify({ commit, branch })}\n`);
}

/** The branch that {@link writeWorkspaceGitDir} recorded in a git directory, if the record survived. */
export async function recordedBranch(gitDir: string): Promise<string | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(join(gitDir, RECORD), 'utf8'));
    const isRecord = typeof record === 'object' && record !== null && 'branch' in record;
    return isRecord && typeof record.branch === 'string' ? record.branch : undefined;
  } catch {
    return undefined;
  }
}

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

async function checkOut(request: WorkspaceRequest, path: string): Promise<void> {
  const gitDir = join(path, '.git');
  await writeWorkspaceGitDir(gitDir, request);
  await git(['reset', '--quiet', '--hard', request.commit], { gitDir, workTree: path, timeoutMs: 900_000 });
}

async function appear(path: string, build: (temporary: string) => Promise<void>): Promise<Preparation> {
  const present = await lstatIfAny(path);
  if (present !== undefined) {
    return present.isDirectory() ? { kind: 'ready', path, created: false } : { kind: 'occupied', path };
  }
  const temporary = await temporarySibling(path);
  try {
    await build(temporary);
    await rename(temporary, path);
  } catch (error) {
    await removeTree(temporary);
    throw error;
  }
  return { kind: 'ready', path, created: true };
}

async function makeRemovable(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeRemovable(join(directory, entry.name));
  }
}

async function lstatIfAny(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function realpathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
