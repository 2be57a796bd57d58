import { git, runGit } from '../git/run-git.ts';

/** Where a commit is kept while it is on its way into another repository. */
const incomingRef = (commit: string): string => `refs/workcenter/incoming/${commit}`;

/**
 * Copies `commit` and what it needs from one git directory into another and pins it under {@link incomingRef}, so
 * that no garbage collection takes it before a branch points at it. Moves no branch, writes no FETCH_HEAD.
 * Idempotent. Throws `GitFailure` when the source lacks the commit.
 */
export async function importCommit(options: {
  readonly from: string;
  readonly into: string;
  readonly commit: string;
}): Promise<void> {
  const ref = incomingRef(options.commit);
  await git(
    ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--refmap=', '--force'].concat([
      '--',
      options.from,
      `${options.commit}:${ref}`,
    ]),
    { gitDir: options.into, timeoutMs: 600_000 },
  );
}

/** Drops the pin of {@link importCommit}; harmless when it is gone already. */
export async function releaseIncoming(gitDir: string, commit: string): Promise<void> {
  await runGit(['update-ref', '--no-deref', '-d', incomingRef(commit)], { gitDir });
}
