import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { lstatIfAny } from '../files/look.ts';
import { removeTree } from '../files/remove-tree.ts';
import { temporarySibling } from '../files/temporary-sibling.ts';
import { ENGINE_AUTHOR } from '../git/commit.ts';
import { GitFailure, git, runGit } from '../git/run-git.ts';
import { type WorkspaceHead, writeWorkspaceGitDir } from './workspace-git-dir.ts';

/** The name under which a conflict workspace knows the commit being merged; it labels the conflict markers. */
const INCOMING_BRANCH = 'incoming';

export type Preparation =
  /** `created` is false when the directory was there before: prepared earlier, perhaps worked in since. */
  | { readonly kind: 'ready'; readonly path: string; readonly created: boolean }
  /** Something that is not a directory is at the path. */
  | { readonly kind: 'occupied'; readonly path: string };

interface WorkspaceRequest extends WorkspaceHead {
  /** Absolute. Appears by rename, so it is complete or absent; one preparer at a time (the Run's lease). */
  readonly path: string;
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
