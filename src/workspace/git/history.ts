import type { GitRepository } from './repository.ts';
import { GitFailure, git, runGit } from './run-git.ts';

/** Whether `ancestor` is `descendant` or in its history. @throws GitFailure when either is not a commit here. */
export async function isAncestor(repo: GitRepository, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  const result = await runGit(args, { gitDir: repo.gitDir });
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  return result.code === 0;
}

/** The tree id of a commit: equal trees are equal files. */
export function treeOf(repo: GitRepository, commit: string): Promise<string> {
  return git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { gitDir: repo.gitDir });
}
