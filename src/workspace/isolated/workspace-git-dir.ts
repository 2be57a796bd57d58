import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initBorrowing } from '../engine-repository/borrowed-objects.ts';
import { type CommitAuthor, ENGINE_AUTHOR } from '../git/commit.ts';
import type { EngineRepository } from '../git/repository.ts';
import { git } from '../git/run-git.ts';

/** Written last into the workspace's git directory, for people who look; an executor may change it, so nothing trusts it. */
const RECORD = 'workcenter.json';

/** What a workspace's own git directory is to say. */
export interface WorkspaceHead {
  readonly repo: EngineRepository;
  readonly commit: string;
  /** Short branch name to be on; detached without it. */
  readonly branch?: string;
  /** Who the executor's own commits are attributed to unless it says otherwise. */
  readonly identity?: CommitAuthor;
}

/**
 * Makes a fresh git directory for a workspace at `gitDir`: HEAD at `commit`, on `branch` where given. Also how a
 * reset gets rid of whatever an executor did to the old one.
 */
export async function writeWorkspaceGitDir(gitDir: string, request: WorkspaceHead): Promise<void> {
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
