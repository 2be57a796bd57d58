import { type GitOptions, runGit } from '../git/run-git.ts';

/** What a name points at as a commit id, or null when there is no such thing. */
export async function readCommit(gitDir: string, name: string): Promise<string | null> {
  const result = await runGit(['rev-parse', '--quiet', '--verify', `${name}^{commit}`], { gitDir });
  return result.code === 0 ? result.stdout.trim() : null;
}

/** True when `ancestor` is contained in `commit`. An unknown commit is contained in nothing. */
export async function contains(gitDir: string, commit: string, ancestor: string): Promise<boolean> {
  return (await runGit(['merge-base', '--is-ancestor', ancestor, commit], { gitDir })).code === 0;
}

/**
 * Moves a ref only if it still points at `expected` (null: must not exist). False when somebody else moved it or
 * git would not (a name in the way); the caller reads the ref to tell which.
 */
export async function compareAndSetRef(
  move: { readonly ref: string; readonly to: string; readonly expected: string | null; readonly reason: string },
  options: GitOptions,
): Promise<{ readonly moved: boolean; readonly message: string }> {
  // Git reads an id of zeros as "must not exist", in either object format.
  const old = move.expected ?? '0'.repeat(move.to.length);
  const result = await runGit(['update-ref', '-m', move.reason, move.ref, move.to, old], {
    ...options,
    env: { GIT_COMMITTER_NAME: 'Work Center', GIT_COMMITTER_EMAIL: 'workcenter@localhost', ...options.env },
  });
  return { moved: result.code === 0, message: result.stderr.trim() };
}
