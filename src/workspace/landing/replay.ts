import { GitFailure, type GitOptions, git, runGit } from '../git/run-git.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Who and when goes into commits the engine makes; given, never read from a clock, so that a repeat is identical. */
export interface Stamp {
  readonly author: Identity;
  /** Milliseconds since the epoch; written at second precision in UTC. */
  readonly at: number;
}

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
  const dressed = await commitTree(gitDir, { tree, parents: [merge.base], message: 'base for a merge' }, stamp);
  return mergeTrees(gitDir, dressed, merge.theirs);
}

/** Writes a commit whose author and committer are both the stamp's. */
export async function commitTree(
  gitDir: string,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
  stamp: Stamp,
  authorEnv: Readonly<Record<string, string>> = {},
): Promise<string> {
  const when = `@${Math.floor(stamp.at / 1000)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: stamp.author.name,
    GIT_AUTHOR_EMAIL: stamp.author.email,
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: stamp.author.name,
    GIT_COMMITTER_EMAIL: stamp.author.email,
    GIT_COMMITTER_DATE: when,
    ...authorEnv,
  };
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  const options: GitOptions = { gitDir, env, input: commit.message };
  return git(['commit-tree', commit.tree, ...parents, '-F', '-'], options);
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
  const shown = await runGit(['show', '-s', '--format=%an%x00%ae%x00%ad%x00%B', '--date=raw', at.commit], { gitDir });
  const [name = '', email = '', date = '', message = ''] = shown.stdout.split('\0');
  const commit = { tree: merged.tree, parents: [at.head], message: message.replace(/\n$/, '') };
  const authorEnv = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: `@${date}` };
  return { kind: 'clean', head: await commitTree(gitDir, commit, stamp, authorEnv), tree: merged.tree };
}
