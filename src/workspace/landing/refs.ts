import { readRef } from '../git/repository.ts';
import { runGit } from '../git/run-git.ts';

/** What a ref or id points at as a commit id, or null when there is no such thing. */
export async function readCommit(gitDir: string, name: string): Promise<string | null> {
  return (await readRef({ gitDir }, name)) ?? null;
}

/** True when `ancestor` is contained in `commit`. An unknown commit is contained in nothing. */
export async function contains(gitDir: string, commit: string, ancestor: string): Promise<boolean> {
  return (await runGit(['merge-base', '--is-ancestor', ancestor, commit], { gitDir })).code === 0;
}

export interface RefMove {
  readonly ref: string;
  readonly to: string;
  /** Null: the ref must not exist. */
  readonly expected: string | null;
  /** For the reflog. */
  readonly reason: string;
}

/**
 * Moves a ref of the user's repository only if it still points at `expected`. When it is not moved, somebody else was
 * first or git would not (a name in the way, no right to write): read the ref to tell which; `message` is git's.
 */
export async function trySetRef(
  gitDir: string,
  move: RefMove,
): Promise<{ readonly moved: boolean; readonly message: string }> {
  // Git reads an id of zeros as "must not exist", in either object format.
  const old = move.expected ?? '0'.repeat(move.to.length);
  const env = { GIT_COMMITTER_NAME: 'Work Center', GIT_COMMITTER_EMAIL: 'workcenter@localhost' };
  const result = await runGit(['update-ref', '-m', move.reason, move.ref, move.to, old], { gitDir, env });
  return { moved: result.code === 0, message: result.stderr.trim() };
}
