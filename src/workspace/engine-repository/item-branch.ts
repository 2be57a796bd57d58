import { type CommitDescription, commitTree } from '../git/commit.ts';
import { type ChangedPath, changedPaths } from '../git/diff.ts';
import { isAncestor } from '../git/history.ts';
import { mergeTrees } from '../git/merge-tree.ts';
import { compareAndSetRef, readRef } from '../git/refs.ts';
import type { EngineRepository } from '../git/repository.ts';
import { git } from '../git/run-git.ts';

export type MergeOutcome =
  /** `paths` differ between the old and the new head. */
  | { readonly kind: 'merged'; readonly head: string; readonly paths: readonly ChangedPath[] }
  /** The item branch already holds the commit, e.g. when a merge is repeated after a crash. */
  | { readonly kind: 'already'; readonly head: string }
  /** The head was not `expectedHead`, or moved while we merged; nothing changed. */
  | { readonly kind: 'moved'; readonly head: string }
  | MergeConflict;

export interface MergeConflict {
  readonly kind: 'conflict';
  readonly paths: readonly string[];
  /** The item head, the commit to be merged, and their common ancestor. */
  readonly ours: string;
  readonly theirs: string;
  readonly mergeBase: string;
  /** Git's own sentences, e.g. "CONFLICT (content): Merge conflict in a.txt". */
  readonly messages: readonly string[];
}

/** The commit that the item branch is at. */
export async function itemHead(repo: EngineRepository): Promise<string> {
  const head = await readRef(repo, repo.branch);
  if (head === undefined) throw new Error(`${repo.gitDir} has no ${repo.branch}`);
  return head;
}

/** Puts the item branch from one commit on another; false when it was not at `from`. */
export function moveItemBranch(
  repo: EngineRepository,
  move: { readonly from: string; readonly to: string },
): Promise<boolean> {
  return compareAndSetRef(repo, { ref: repo.branch, to: move.to, expected: move.from, reason: 'workcenter' });
}

/**
 * Merges a captured commit into the item branch without any working tree (D32). A commit that grew from the head is
 * taken as it is; everything else gets a merge commit. Moves the branch by compare-and-set. The merge commit depends
 * on nothing but its inputs, so a repetition gives the same id.
 */
export async function mergeIntoItem(
  repo: EngineRepository,
  request: CommitDescription & { readonly commit: string; readonly expectedHead?: string },
): Promise<MergeOutcome> {
  const head = await itemHead(repo);
  if (await isAncestor(repo, request.commit, head)) return { kind: 'already', head };
  if (request.expectedHead !== undefined && request.expectedHead !== head) return { kind: 'moved', head };
  const merged = await mergeCommits(repo, head, request);
  if (merged.kind === 'conflict') return merged;
  if (!(await moveItemBranch(repo, { from: head, to: merged.commit }))) {
    return { kind: 'moved', head: await itemHead(repo) };
  }
  return { kind: 'merged', head: merged.commit, paths: await changedPaths(repo, head, merged.commit) };
}

type Merged = { readonly kind: 'commit'; readonly commit: string } | MergeConflict;

async function mergeCommits(
  repo: EngineRepository,
  ours: string,
  request: CommitDescription & { readonly commit: string },
): Promise<Merged> {
  const theirs = request.commit;
  if (await isAncestor(repo, ours, theirs)) return { kind: 'commit', commit: theirs };
  const merged = await mergeTrees(repo, ours, theirs);
  if (merged.kind === 'clean') {
    return { kind: 'commit', commit: await commitTree(repo, merged.tree, [ours, theirs], request) };
  }
  const mergeBase = await git(['merge-base', ours, theirs], { gitDir: repo.gitDir });
  return { ...merged, ours, theirs, mergeBase };
}
