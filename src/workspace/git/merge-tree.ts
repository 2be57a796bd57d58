import { commitTree, type Stamp } from './commit.ts';
import { treeOf } from './history.ts';
import type { GitRepository } from './repository.ts';
import { GitFailure, runGit } from './run-git.ts';

export type TreeMerge =
  | { readonly kind: 'clean'; readonly tree: string }
  /** `paths` sorted, each once; `messages` are git's sentences, e.g. "CONFLICT (content): Merge conflict in a.txt". */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly messages: readonly string[] };

/** Merges two commits without any working tree (D32). @throws GitFailure for unrelated histories. */
export async function mergeTrees(repo: GitRepository, ours: string, theirs: string): Promise<TreeMerge> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--messages', ours, theirs];
  const result = await runGit(args, { gitDir: repo.gitDir });
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  const { tree, paths, messages } = parseMergeTree(result.stdout);
  return result.code === 0 ? { kind: 'clean', tree } : { kind: 'conflict', paths, messages };
}

/**
 * The three-way merge of `onto` and `theirs` as if `base` were their common ancestor, which is how a change is carried
 * to another place. Git 2.38 cannot be told a base, so `onto`'s tree is dressed as a child of `base`.
 */
export async function mergeWithBase(
  repo: GitRepository,
  merge: { readonly base: string; readonly onto: string; readonly theirs: string },
  stamp: Stamp,
): Promise<TreeMerge> {
  const tree = await treeOf(repo, merge.onto);
  const dressed = await commitTree(repo, tree, [merge.base], { ...stamp, message: 'Base for a merge' });
  return mergeTrees(repo, dressed, merge.theirs);
}

/**
 * `merge-tree -z --name-only`: the tree, the conflicted names, an empty field, then per message
 * `<number of paths> <path>... <kind> <sentence>`.
 */
function parseMergeTree(output: string): { tree: string; paths: string[]; messages: string[] } {
  const fields = output.split('\0');
  const end = fields.indexOf('', 1);
  const paths = fields.slice(1, end < 0 ? undefined : end);
  const messages: string[] = [];
  for (let i = end + 1; end >= 0 && i < fields.length; ) {
    const count = Number.parseInt(fields[i] ?? '', 10);
    if (Number.isNaN(count)) break;
    const sentence = fields[i + count + 2];
    if (sentence !== undefined) messages.push(sentence.trim());
    i += count + 3;
  }
  return { tree: fields[0] ?? '', paths: [...new Set(paths)].sort(), messages };
}
