import { type ChangedPath, changedPaths, isAncestor } from './diff.ts';
import { type CommitDescription, commitTree, compareAndSetRef, type EngineRepository, readRef } from './repository.ts';
import { GitFailure, git, runGit } from './run-git.ts';

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
  if (!(await compareAndSetRef(repo, repo.branch, merged.commit, head))) {
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
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--messages', ours, theirs];
  const result = await runGit(args, { gitDir: repo.gitDir });
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  const parsed = parseMergeTree(result.stdout);
  if (result.code === 0)
    return { kind: 'commit', commit: await commitTree(repo, parsed.tree, [ours, theirs], request) };
  const mergeBase = await git(['merge-base', ours, theirs], { gitDir: repo.gitDir });
  return { kind: 'conflict', paths: parsed.paths, ours, theirs, mergeBase, messages: parsed.messages };
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
  return { tree: fields[0] ?? '', paths: [...new Set(paths)], messages };
}
