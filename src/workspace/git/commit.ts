import type { GitRepository } from './repository.ts';
import { GitFailure, git, runGit } from './run-git.ts';

/** Who a commit is attributed to; recorded as author and committer alike. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The author of commits that no executor made. */
export const ENGINE_AUTHOR = { name: 'Work Center', email: 'engine@workcenter.invalid' } as const;

export interface CommitDescription {
  readonly message: string;
  readonly author: CommitAuthor;
  /** Unix seconds. Passed in, so that the same work repeated after a crash gives the same commit. */
  readonly at: number;
}

/** Who and when goes into commits the engine makes; given, never read from a clock, so that a repeat is identical. */
export type Stamp = Pick<CommitDescription, 'author' | 'at'>;

/** Writes a commit object and returns its id; moves no ref. */
export function commitTree(
  repo: GitRepository,
  tree: string,
  parents: readonly string[],
  description: CommitDescription,
): Promise<string> {
  const { author, message } = description;
  const signed = { ...author, date: dateOf(description) };
  return writeCommit(repo, tree, parents, {
    message: message.endsWith('\n') ? message : `${message}\n`,
    author: signed,
    committer: signed,
  });
}

/** Writes `original` again on another tree and parent: its message, author and author date; the committer is the stamp's. */
export async function commitAgain(
  repo: GitRepository,
  made: { readonly original: string; readonly tree: string; readonly parent: string },
  stamp: Stamp,
): Promise<string> {
  const args = ['show', '-s', '--format=%an%x00%ae%x00%ad%x00%B', '--date=raw', made.original];
  const shown = await runGit(args, { gitDir: repo.gitDir });
  if (shown.code !== 0) throw new GitFailure(args, shown.code, shown.stderr);
  const [name = '', email = '', date = '', message = ''] = shown.stdout.split('\0');
  return writeCommit(repo, made.tree, [made.parent], {
    // Without the line break that git adds; the rest is the message to the byte.
    message: message.replace(/\n$/, ''),
    author: { name, email, date: `@${date}` },
    committer: { ...stamp.author, date: dateOf(stamp) },
  });
}

type Signature = CommitAuthor & { readonly date: string };

function writeCommit(
  repo: GitRepository,
  tree: string,
  parents: readonly string[],
  words: { readonly message: string; readonly author: Signature; readonly committer: Signature },
): Promise<string> {
  const { message, author, committer } = words;
  return git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    gitDir: repo.gitDir,
    input: message,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: author.date,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: committer.date,
    },
  });
}

function dateOf({ at }: Stamp): string {
  return `@${Math.trunc(at)} +0000`;
}
