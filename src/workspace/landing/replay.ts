import { commitAgain, type Stamp } from '../git/commit.ts';
import { treeOf } from '../git/history.ts';
import { mergeWithBase } from '../git/merge-tree.ts';
import type { GitRepository } from '../git/repository.ts';
import { git, runGit } from '../git/run-git.ts';

type Replay =
  | { readonly kind: 'clean'; readonly head: string; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/**
 * Carries the non-merge commits of `base..commit` onto `onto`, oldest first, keeping message, author and author date.
 * A commit that changes nothing there is dropped. Stops at the first that conflicts.
 */
export async function replayCommits(
  repo: GitRepository,
  range: { readonly base: string; readonly commit: string; readonly onto: string },
  stamp: Stamp,
): Promise<Replay> {
  const listed = ['rev-list', '--reverse', '--topo-order', '--no-merges', `${range.base}..${range.commit}`];
  const commits = (await git(listed, { gitDir: repo.gitDir })).split('\n').filter((line) => line !== '');
  let head = range.onto;
  let tree = await treeOf(repo, head);
  for (const commit of commits) {
    const step = await pick(repo, { commit, head, tree }, stamp);
    if (step.kind === 'conflict') return step;
    head = step.head;
    tree = step.tree;
  }
  return { kind: 'clean', head, tree };
}

async function pick(
  repo: GitRepository,
  at: { readonly commit: string; readonly head: string; readonly tree: string },
  stamp: Stamp,
): Promise<Replay> {
  const parent = await runGit(['rev-parse', '--quiet', '--verify', `${at.commit}^`], { gitDir: repo.gitDir });
  if (parent.code !== 0) return { kind: 'conflict', paths: [] };
  const merge = { base: parent.stdout.trim(), onto: at.head, theirs: at.commit };
  const merged = await mergeWithBase(repo, merge, stamp);
  if (merged.kind === 'conflict') return { kind: 'conflict', paths: merged.paths };
  if (merged.tree === at.tree) return { kind: 'clean', head: at.head, tree: at.tree };
  const head = await commitAgain(repo, { original: at.commit, tree: merged.tree, parent: at.head }, stamp);
  return { kind: 'clean', head, tree: merged.tree };
}
