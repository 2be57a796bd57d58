import { type CommitDescription, commitTree } from '../git/repository.ts';
import { GitFailure, git, runGit } from '../git/run-git.ts';

/** Who and when goes into commits the engine makes; given, never read from a clock, so that a repeat is identical. */
export type Stamp = Pick<CommitDescription, 'author' | 'at'>;

export type TreeMerge =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Merges two commits without any working tree. Unrelated histories throw `GitFailure`. */
export async function mergeTrees(gitDir: string, ours: string, theirs: string): Promise<TreeMerge> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const result = await runGit(args, { gitDir });
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  const [tree = '', ...paths] = result.stdout.split('\0').filter((part) => part.trim() !== '');
  return result.code === 0 ? { kind: 'clean', tree } : { kind: 'conflict', paths: [...new Set(paths)].sort() };
}

/**
 * The three-way merge of `onto` and `theirs` as if `base` were their common ancestor, which is how a change is carried
 * to another place. Git 2.38 cannot be told a base, so `onto`'s tree is dressed as a child of `base`.
 */
export async function mergeWithBase(
  gitDir: string,
  merge: { readonly base: string; readonly onto: string; readonly theirs: string },
  stamp: Stamp,
): Promise<TreeMerge> {
  const tree = await git(['rev-parse', `${merge.onto}^{tree}`], { gitDir });
  const dressed = await commitTree({ gitDir }, tree, [merge.base], { ...stamp, message: 'Base for a merge' });
  return mergeTrees(gitDir, dressed, merge.theirs);
}

export type Replay =
  | { readonly kind: 'clean'; readonly head: string; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/**
 * Carries the non-merge commits of `base..commit` onto `onto`, oldest first, keeping message, author and author date.
 * A commit that changes nothing there is dropped. Stops at the first that conflicts.
 */
export async function replayCommits(
  gitDir: string,
  range: { readonly base: string; readonly commit: string; readonly onto: string },
  stamp: Stamp,
): Promise<Replay> {
  const listed = ['rev-list', '--reverse', '--topo-order', '--no-merges', `${range.base}..${range.commit}`];
  const commits = (await git(listed, { gitDir })).split('\n').filter((line) => line !== '');
  let head = range.onto;
  let tree = await git(['rev-parse', `${head}^{tree}`], { gitDir });
  for (const commit of commits) {
    const step = await pick(gitDir, { commit, head, tree }, stamp);
    if (step.kind === 'conflict') return step;
    head = step.head;
    tree = step.tree;
  }
  return { kind: 'clean', head, tree };
}

async function pick(
  gitDir: string,
  at: { readonly commit: string; readonly head: string; readonly tree: string },
  stamp: Stamp,
): Promise<Replay> {
  const parent = await runGit(['rev-parse', '--quiet', '--verify', `${at.commit}^`], { gitDir });
  if (parent.code !== 0) return { kind: 'conflict', paths: [] };
  const merge = { base: parent.stdout.trim(), onto: at.head, theirs: at.commit };
  const merged = await mergeWithBase(gitDir, merge, stamp);
  if (merged.kind === 'conflict') return merged;
  if (merged.tree === at.tree) return { kind: 'clean', head: at.head, tree: at.tree };
  const head = await commitAgain(gitDir, { original: at.commit, tree: merged.tree, parent: at.head }, stamp);
  return { kind: 'clean', head, tree: merged.tree };
}

/** The original's message and author on another tree and parent; the committer is the stamp's. */
async function commitAgain(
  gitDir: string,
  made: { readonly original: string; readonly tree: string; readonly parent: string },
  stamp: Stamp,
): Promise<string> {
  const format = '--format=%an%x00%ae%x00%ad%x00%B';
  const shown = await runGit(['show', '-s', format, '--date=raw', made.original], { gitDir });
  const [name = '', email = '', date = '', message = ''] = shown.stdout.split('\0');
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: `@${date}`,
    GIT_COMMITTER_NAME: stamp.author.name,
    GIT_COMMITTER_EMAIL: stamp.author.email,
    GIT_COMMITTER_DATE: `@${Math.trunc(stamp.at)} +0000`,
  };
  const input = message.replace(/\n$/, '');
  return git(['commit-tree', made.tree, '-p', made.parent, '-F', '-'], { gitDir, env, input });
}
