import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { git, runGit } from '../git/run-git.ts';

/** One checkout of the user's repository. */
export interface Checkout {
  /** Top level directory. */
  readonly path: string;
  /** Git directory of this checkout (for a linked one `<common>/worktrees/<name>`). */
  readonly gitDir: string;
  /** Short branch name; null when HEAD is detached. A branch being rebased counts as checked out. */
  readonly branch: string | null;
  /** What stands in the way of moving this checkout: an unfinished merge, rebase, or a missing directory. */
  readonly busy: string | null;
}

const UNFINISHED: readonly (readonly [string, string])[] = [
  ['MERGE_HEAD', 'a merge is in progress'],
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['BISECT_LOG', 'a bisection is in progress'],
];

/** Every checkout of the repository; a bare repository without worktrees has none. */
async function listCheckouts(userGitDir: string): Promise<Checkout[]> {
  const commonDir = resolve(userGitDir, await git(['rev-parse', '--git-common-dir'], { gitDir: userGitDir }));
  const text = await git(['worktree', 'list', '--porcelain', '-z'], { gitDir: userGitDir });
  const entries = text.split('\0\0').map((entry) => entry.split('\0').filter((line) => line !== ''));
  const found = await Promise.all(entries.map((lines, index) => readEntry(lines, index === 0, commonDir)));
  return found.filter((checkout) => checkout !== null);
}

/** The checkouts in which `branch` (short name) is checked out. */
export async function checkoutsOf(userGitDir: string, branch: string): Promise<Checkout[]> {
  return (await listCheckouts(userGitDir)).filter((checkout) => checkout.branch === branch);
}

async function readEntry(lines: readonly string[], main: boolean, commonDir: string): Promise<Checkout | null> {
  const path = field(lines, 'worktree');
  if (path === null) return null;
  if (main) return lines.includes('bare') ? null : mainCheckout(lines, path, commonDir);
  const locked = lines.some((line) => line.startsWith('locked'));
  if (!existsSync(join(path, '.git'))) {
    // Gone for good unless it is locked: then it may be on a medium that comes back with the old files.
    return locked ? { path, gitDir: '', branch: branchOf(lines), busy: 'its directory is not there' } : null;
  }
  const gitDir = resolve(path, await git(['-C', path, 'rev-parse', '--absolute-git-dir']));
  return describe(lines, path, gitDir);
}

async function mainCheckout(lines: readonly string[], listed: string, commonDir: string): Promise<Checkout | null> {
  // A repository whose directory is kept elsewhere (a submodule) names its working tree in the configuration.
  const configured = await runGit(['config', '--file', join(commonDir, 'config'), '--get', 'core.worktree']);
  const path = configured.code === 0 ? resolve(commonDir, configured.stdout.trim()) : listed;
  if (!existsSync(path) || path === commonDir) return null;
  return describe(lines, path === commonDir ? dirname(commonDir) : path, commonDir);
}

async function describe(lines: readonly string[], path: string, gitDir: string): Promise<Checkout> {
  const unfinished = UNFINISHED.find(([name]) => existsSync(join(gitDir, name)));
  return { path, gitDir, branch: branchOf(lines) ?? (await rebasedBranch(gitDir)), busy: unfinished?.[1] ?? null };
}

async function rebasedBranch(gitDir: string): Promise<string | null> {
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    const name = await readFile(join(gitDir, folder, 'head-name'), 'utf8').catch(() => null);
    if (name?.startsWith('refs/heads/')) return name.trim().slice('refs/heads/'.length);
  }
  return null;
}

function branchOf(lines: readonly string[]): string | null {
  const ref = field(lines, 'branch');
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}

function field(lines: readonly string[], name: string): string | null {
  return lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}
