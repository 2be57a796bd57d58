import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git, runGit } from './run-git.ts';

/** Any git directory that may be read with {@link runGit}: the engine's own, or the user's common directory. */
export interface GitRepository {
  readonly gitDir: string;
}

/** The engine's own bare repository of one item (D32). Executors never see its refs, only its objects. */
export interface EngineRepository extends GitRepository {
  readonly itemId: string;
  /** Full ref of the item branch, `refs/heads/workcenter/<itemId>`. */
  readonly branch: string;
  /** The commit the item started from. */
  readonly base: string;
}

export const BASE_REF = 'refs/workcenter/base';

/** Who a commit is attributed to; recorded as author and committer alike. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

export interface CommitDescription {
  readonly message: string;
  readonly author: CommitAuthor;
  /** Unix seconds. Passed in, so that the same work repeated after a crash gives the same commit. */
  readonly at: number;
}

/** Writes a commit object and returns its id; moves no ref. */
export function commitTree(
  repo: GitRepository,
  tree: string,
  parents: readonly string[],
  description: CommitDescription,
): Promise<string> {
  const { author, at, message } = description;
  const date = `@${Math.trunc(at)} +0000`;
  return git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    gitDir: repo.gitDir,
    input: message.endsWith('\n') ? message : `${message}\n`,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      GIT_COMMITTER_DATE: date,
    },
  });
}

/** The commit a ref names, or undefined when there is no such ref. */
export async function readRef(repo: GitRepository, ref: string): Promise<string | undefined> {
  const result = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    gitDir: repo.gitDir,
  });
  return result.code === 0 ? result.stdout.trim() : undefined;
}

/** Moves a ref from `expected` (undefined: must not exist) to `commit`; false when it was somewhere else. */
export async function compareAndSetRef(
  repo: GitRepository,
  ref: string,
  commit: string,
  expected: string | undefined,
): Promise<boolean> {
  const old = expected ?? '0'.repeat(commit.length);
  const result = await runGit(['update-ref', ref, commit, old], { gitDir: repo.gitDir });
  if (result.code === 0) return true;
  const current = await readRef(repo, ref);
  if (current !== expected) return false;
  // The ref is where it should be, so the refusal has another cause (disk, lock, rights) and must not look like a race.
  await git(['update-ref', ref, commit, old], { gitDir: repo.gitDir });
  return true;
}

/** Gives `work` the path of an index file of its own, next to the engine's objects, and removes it afterwards. */
export async function withTemporaryIndex<T>(repo: GitRepository, work: (indexFile: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(repo.gitDir, 'index-'));
  try {
    return await work(join(directory, 'index'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
