import { itemBranch, pin } from '../engine-repository/engine-repository.ts';
import { commitTree, type Stamp } from '../git/commit.ts';
import { isAncestor } from '../git/history.ts';
import { mergeTrees } from '../git/merge-tree.ts';
import { moveRef } from '../git/refs.ts';
import type { GitRepository } from '../git/repository.ts';
import { GitFailure, runGit } from '../git/run-git.ts';
import { importCommit, releaseIncoming } from './incoming-commit.ts';
import { replayCommits } from './replay.ts';

export interface SyncRequest extends Stamp {
  readonly engineGitDir: string;
  readonly userGitDir: string;
  readonly itemId: string;
  readonly itemBranchHead: string;
  readonly targetHead: string;
}

export type SyncResult =
  | { readonly kind: 'synced'; readonly head: string; readonly how: 'rebased' | 'merged' | 'unchanged' }
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly ours: string; readonly theirs: string }
  | { readonly kind: 'moved'; readonly actual: string | null };

/**
 * D32: makes the item branch contain the target's head, so that landing is a fast-forward after checks have run again. The item's
 * commits are replayed one by one where that gives exactly the merged content; otherwise one merge commit is made.
 * The same inputs give the same commit id. `conflict` leaves the branch alone, with our side first; `moved` means
 * that the item branch was not at `itemBranchHead`.
 */
export async function syncWithTarget(request: SyncRequest): Promise<SyncResult> {
  const { engineGitDir: gitDir, itemBranchHead: ours, targetHead: theirs } = request;
  await importCommit({ from: request.userGitDir, into: gitDir, commit: theirs });
  // The engine borrows these objects; the user may drop the branch that holds them.
  await pin({ commonDir: request.userGitDir, itemId: request.itemId, commit: theirs, name: `target-${theirs}` });
  try {
    const made = await combine({ gitDir }, ours, theirs, request);
    return made.kind === 'synced' ? await adopt({ gitDir }, request, made) : made;
  } finally {
    await releaseIncoming(gitDir, theirs);
  }
}

/** Puts the item branch on what was made. */
async function adopt(
  repo: GitRepository,
  request: Pick<SyncRequest, 'itemId' | 'itemBranchHead'>,
  made: Extract<SyncResult, { kind: 'synced' }>,
): Promise<SyncResult> {
  const ref = itemBranch(request.itemId);
  const reason = 'workcenter: sync with the target';
  const outcome = await moveRef(repo, { ref, to: made.head, expected: request.itemBranchHead, reason });
  switch (outcome.kind) {
    case 'moved':
      return made;
    case 'elsewhere':
      // A repeat after a crash finds its own result there.
      return outcome.actual === made.head ? made : { kind: 'moved', actual: outcome.actual ?? null };
    case 'refused':
      throw new GitFailure(['update-ref', ref], 1, outcome.message);
  }
}

async function combine(repo: GitRepository, ours: string, theirs: string, stamp: Stamp): Promise<SyncResult> {
  if (await isAncestor(repo, theirs, ours)) return { kind: 'synced', head: ours, how: 'unchanged' };
  if (await isAncestor(repo, ours, theirs)) return { kind: 'synced', head: theirs, how: 'rebased' };
  const found = await runGit(['merge-base', ours, theirs], { gitDir: repo.gitDir });
  if (found.code !== 0) return { kind: 'conflict', paths: [], ours, theirs };
  const merged = await mergeTrees(repo, theirs, ours);
  if (merged.kind === 'conflict') return { kind: 'conflict', paths: merged.paths, ours, theirs };
  const replayed = await replayCommits(repo, { base: found.stdout.trim(), commit: ours, onto: theirs }, stamp);
  if (replayed.kind === 'clean' && replayed.tree === merged.tree) {
    return { kind: 'synced', head: replayed.head, how: 'rebased' };
  }
  const message = `Merge ${theirs.slice(0, 12)} from the target branch\n`;
  const head = await commitTree(repo, merged.tree, [ours, theirs], { ...stamp, message });
  return { kind: 'synced', head, how: 'merged' };
}
