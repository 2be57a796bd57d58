import { commitTree, type Stamp } from '../git/commit.ts';
import { mergeWithBase } from '../git/merge-tree.ts';
import { git } from '../git/run-git.ts';
import { replayCommits } from './replay.ts';

type TransplantResult =
  | { readonly kind: 'transplanted'; readonly head: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/**
 * D30: carries what was made on top of a snapshot (`snapshot..commit`) to a clean head, leaving the user's own
 * uncommitted work out. Commit by commit where possible, else as one commit; the result still has to be verified.
 */
export async function transplant(
  request: Stamp & {
    readonly engineGitDir: string;
    readonly commit: string;
    readonly snapshot: string;
    readonly onto: string;
  },
): Promise<TransplantResult> {
  const { commit, snapshot, onto } = request;
  const repo = { gitDir: request.engineGitDir };
  const merged = await mergeWithBase(repo, { base: snapshot, onto, theirs: commit }, request);
  if (merged.kind === 'conflict') return { kind: 'conflict', paths: merged.paths };
  const replayed = await replayCommits(repo, { base: snapshot, commit, onto }, request);
  if (replayed.kind === 'clean' && replayed.tree === merged.tree) {
    return { kind: 'transplanted', head: replayed.head };
  }
  const message = await git(['show', '-s', '--format=%B', commit], repo);
  const description = { author: request.author, at: request.at, message };
  return { kind: 'transplanted', head: await commitTree(repo, merged.tree, [onto], description) };
}
