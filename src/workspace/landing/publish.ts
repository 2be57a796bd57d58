import { isAncestor } from '../git/history.ts';
import { moveRef, readRef } from '../git/refs.ts';
import { runGit } from '../git/run-git.ts';
import { checkoutsOf } from '../user-repository/checkouts.ts';
import { importCommit, releaseIncoming } from './incoming-commit.ts';

export interface PublishRequest {
  readonly engineGitDir: string;
  readonly userGitDir: string;
  readonly commit: string;
  /** Short name, for example `workcenter/item-1`. */
  readonly branch: string;
  /**
   * What the branch must point at now: a commit, or null for "must not exist". Left out: whatever it points at, as
   * long as `commit` contains it, so that nothing is ever taken off a branch without its owner's word.
   */
  readonly expectedOld?: string | null;
}

export type PublishResult =
  | { readonly kind: 'published'; readonly branch: string; readonly commit: string; readonly previous?: string }
  | { readonly kind: 'already' }
  | { readonly kind: 'moved'; readonly actual: string | null }
  | { readonly kind: 'checked_out'; readonly where: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * D32: puts a commit on a branch of the user's repository by compare-and-set. No checkout, index or stash is touched and no
 * hook runs; a branch that is checked out somewhere is left to landing. Repeating it is `already`.
 */
export async function publishBranch(request: PublishRequest): Promise<PublishResult> {
  const { userGitDir, branch, commit } = request;
  const valid = await runGit(['check-ref-format', '--branch', branch]);
  if (valid.code !== 0) return { kind: 'refused', reason: `"${branch}" is not a usable branch name` };
  const ref = `refs/heads/${branch}`;
  const repo = { gitDir: userGitDir };
  const current = (await readRef(repo, ref)) ?? null;
  if (current === commit) return { kind: 'already' };
  if (request.expectedOld !== undefined && request.expectedOld !== current) return { kind: 'moved', actual: current };
  const [checkout] = await checkoutsOf(userGitDir, branch);
  if (checkout !== undefined) return { kind: 'checked_out', where: checkout.path };
  await importCommit({ from: request.engineGitDir, into: userGitDir, commit });
  try {
    if (request.expectedOld === undefined && current !== null && !(await isAncestor(repo, current, commit))) {
      return { kind: 'moved', actual: current };
    }
    return await setBranch(request, ref, current);
  } finally {
    await releaseIncoming(userGitDir, commit);
  }
}

async function setBranch(request: PublishRequest, ref: string, current: string | null): Promise<PublishResult> {
  const { userGitDir, branch, commit } = request;
  const move = { ref, to: commit, expected: current ?? undefined, reason: `workcenter: publish ${branch}` };
  const outcome = await moveRef({ gitDir: userGitDir }, move);
  switch (outcome.kind) {
    case 'moved':
      return { kind: 'published', branch, commit, ...(current === null ? {} : { previous: current }) };
    case 'elsewhere':
      return outcome.actual === commit ? { kind: 'already' } : { kind: 'moved', actual: outcome.actual ?? null };
    case 'refused':
      return { kind: 'refused', reason: outcome.message };
  }
}
