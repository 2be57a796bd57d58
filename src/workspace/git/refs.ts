import { ENGINE_AUTHOR } from './commit.ts';
import type { GitRepository } from './repository.ts';
import { GitFailure, runGit } from './run-git.ts';

/** The commit that a ref or an id names, or undefined when there is no such thing. */
export async function readRef(repo: GitRepository, ref: string): Promise<string | undefined> {
  const result = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    gitDir: repo.gitDir,
  });
  return result.code === 0 ? result.stdout.trim() : undefined;
}

export interface RefMove {
  /** Full name, for example `refs/heads/main`. */
  readonly ref: string;
  readonly to: string;
  /** The commit it must be at; undefined: the ref must not exist. */
  readonly expected: string | undefined;
  /** For the reflog, where the repository keeps one. */
  readonly reason: string;
}

export type RefMoved =
  | { readonly kind: 'moved' }
  /** It was not where it was expected: somebody else was first. `actual` is where it is; undefined: nowhere. */
  | { readonly kind: 'elsewhere'; readonly actual: string | undefined }
  /** It is where it was expected and git would not move it: a name in the way, no right to write, a full disk. */
  | { readonly kind: 'refused'; readonly message: string };

/** Compare-and-set of a ref, in any repository. Runs no hook. */
export async function moveRef(repo: GitRepository, move: RefMove): Promise<RefMoved> {
  // Git reads an id of zeros as "must not exist", in either object format.
  const old = move.expected ?? '0'.repeat(move.to.length);
  const result = await runGit(['update-ref', '-m', move.reason, move.ref, move.to, old], {
    gitDir: repo.gitDir,
    env: { GIT_COMMITTER_NAME: ENGINE_AUTHOR.name, GIT_COMMITTER_EMAIL: ENGINE_AUTHOR.email },
  });
  if (result.code === 0) return { kind: 'moved' };
  const actual = await readRef(repo, move.ref);
  if (actual !== move.expected) return { kind: 'elsewhere', actual };
  return { kind: 'refused', message: result.stderr.trim() };
}

/**
 * {@link moveRef} for a repository of our own, where nothing may refuse: false when the ref was somewhere else.
 * @throws GitFailure when git refused, which must not look like a lost race.
 */
export async function compareAndSetRef(repo: GitRepository, move: RefMove): Promise<boolean> {
  const outcome = await moveRef(repo, move);
  if (outcome.kind === 'refused') throw new GitFailure(['update-ref', move.ref], 1, outcome.message);
  return outcome.kind === 'moved';
}
