import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TreeChange, treeChanges } from '../git/diff.ts';
import { isAncestor } from '../git/history.ts';
import { readRef } from '../git/refs.ts';
import { type Checkout, checkoutsOf } from '../user-repository/checkouts.ts';
import { userGit } from '../user-repository/user-git.ts';
import { fileState } from './file-state.ts';

export interface LandingRequest {
  readonly engineGitDir: string;
  readonly userGitDir: string;
  /** Short name of the target branch. */
  readonly branch: string;
  /** The verified commit. */
  readonly commit: string;
  /** The person's environment; their git configuration decides how files are written. */
  readonly userEnv: Readonly<Record<string, string>>;
}

export type LandingPlan =
  | { readonly kind: 'already' }
  /** The branch is checked out nowhere: moving the ref is all. */
  | { readonly kind: 'update_ref'; readonly expected: string }
  /**
   * The branch is checked out in `worktree`, whose own git directory is `worktreeGitDir`. `adopt` are paths that
   * hold the target's content already.
   */
  | {
      readonly kind: 'fast_forward';
      readonly worktree: string;
      readonly worktreeGitDir: string;
      readonly expected: string;
      readonly adopt: readonly string[];
    }
  /** The target has commits that `commit` lacks: sync, verify again, never force. */
  | { readonly kind: 'behind'; readonly targetHead: string }
  /** The user's own edits or untracked files at paths the landing touches: ask. */
  | { readonly kind: 'overlap'; readonly paths: readonly string[] }
  | { readonly kind: 'missing_branch' }
  /** The checkout is in no state to be moved (an unfinished merge or rebase, checked out twice, not there). */
  | { readonly kind: 'unavailable'; readonly worktree: string; readonly reason: string };

export interface TargetState {
  /** Null when there is no such branch. */
  readonly head: string | null;
  readonly checkouts: readonly Checkout[];
}

/** Where the target branch is and who has it checked out. Reads only. */
export async function inspectTarget(target: {
  readonly userGitDir: string;
  readonly branch: string;
}): Promise<TargetState> {
  const head = (await readRef({ gitDir: target.userGitDir }, `refs/heads/${target.branch}`)) ?? null;
  return { head, checkouts: await checkoutsOf(target.userGitDir, target.branch) };
}

/** D32: decides how `commit` gets onto the target branch. Changes nothing; the answer may be stale a moment later. */
export async function planLanding(request: LandingRequest): Promise<LandingPlan> {
  const { head, checkouts } = await inspectTarget(request);
  if (head === null) return { kind: 'missing_branch' };
  const repo = { gitDir: request.engineGitDir };
  // The engine's git directory sees the user's objects through its alternates, so both commits are known there.
  if (await isAncestor(repo, request.commit, head)) return { kind: 'already' };
  if (!(await isAncestor(repo, head, request.commit))) return { kind: 'behind', targetHead: head };
  const [checkout, second] = checkouts;
  if (checkout === undefined) return { kind: 'update_ref', expected: head };
  const obstacle = second === undefined ? checkout.busy : `the branch is also checked out in ${second.path}`;
  if (obstacle !== null) return { kind: 'unavailable', worktree: checkout.path, reason: obstacle };
  return planFastForward(request, checkout, head);
}

async function planFastForward(request: LandingRequest, checkout: Checkout, head: string): Promise<LandingPlan> {
  const changes = await treeChanges({ gitDir: request.engineGitDir }, head, request.commit);
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const dirty = await dirtyTracked(checkout.path, request.userEnv);
  const tree = { path: checkout.path, gitDir: request.engineGitDir, userEnv: request.userEnv };
  const adopt: string[] = [];
  const overlap: string[] = [];
  for (const change of changes) {
    const edited = dirty.has(change.path) || (change.base === null && (await occupied(checkout.path, change.path)));
    if (!edited) continue;
    const same = (await fileState(tree, change, byPath)) === 'target';
    if (same && (await indexAgrees(checkout.path, change, request.userEnv))) adopt.push(change.path);
    else if (!(await vacated(tree, change, byPath, dirty))) overlap.push(change.path);
  }
  if (overlap.length > 0) return { kind: 'overlap', paths: overlap };
  const { path: worktree, gitDir: worktreeGitDir } = checkout;
  return { kind: 'fast_forward', worktree, worktreeGitDir, expected: head, adopt };
}

/** A new file whose place is taken only by unedited paths that the same landing removes (a directory becomes a file). */
async function vacated(
  tree: Parameters<typeof fileState>[0],
  change: TreeChange,
  byPath: ReadonlyMap<string, TreeChange>,
  dirty: ReadonlySet<string>,
): Promise<boolean> {
  if (change.base !== null || dirty.has(change.path)) return false;
  return (await fileState(tree, change, byPath)) === 'absent';
}

async function dirtyTracked(worktree: string, userEnv: Readonly<Record<string, string>>): Promise<Set<string>> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=dirty'];
  const text = await userGit(args, { cwd: worktree, userEnv });
  return new Set(
    text
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => entry.slice(3)),
  );
}

async function indexAgrees(
  worktree: string,
  change: TreeChange,
  userEnv: Readonly<Record<string, string>>,
): Promise<boolean> {
  const args = ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', change.path];
  const listed = (await userGit(args, { cwd: worktree, userEnv })).split('\0').filter((line) => line !== '');
  const entries = listed.filter((line) => line.slice(line.indexOf('\t') + 1) === change.path);
  if (entries.length === 0) return change.base === null || change.target === null;
  const [mode, oid, stage] = (entries[0] ?? '').slice(0, (entries[0] ?? '').indexOf('\t')).split(' ');
  const known = [change.base, change.target].some((entry) => entry?.mode === mode && entry?.oid === oid);
  return entries.length === 1 && stage === '0' && known;
}

/** Something is at the path, or a parent of it is not a directory; links are not followed. */
async function occupied(worktree: string, path: string): Promise<boolean> {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const stats = await lstat(join(worktree, ...parts.slice(0, length))).catch(() => null);
    if (stats === null) return false;
    if (length === parts.length || !stats.isDirectory()) return true;
  }
  return false;
}
