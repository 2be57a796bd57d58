import { isAncestor } from '../git/history.ts';
import { compareAndSetRef, readRef } from '../git/refs.ts';
import type { GitRepository } from '../git/repository.ts';
import { runRemoteGit, type UserRepository } from './remote-git.ts';
import { readRemoteRefs } from './remote-refs.ts';
import { type RemoteTrouble, troubleOf } from './trouble.ts';

export interface PushRequest {
  /** Holds `commit`, and says how the remote is reached. */
  readonly repository: UserRepository;
  /** The item's own repository, where it is noted what we have pushed. */
  readonly engine: GitRepository;
  /** An address, not a name: so git has no tracking branch to move. */
  readonly url: string;
  readonly commit: string;
  /** Short name of the branch on the remote. */
  readonly branch: string;
  readonly signal?: AbortSignal;
}

export type PushResult =
  | { readonly kind: 'pushed' }
  | { readonly kind: 'already' }
  /** The remote's branch holds somebody else's commits; they were left alone. `actual` null: it is gone. */
  | { readonly kind: 'moved'; readonly actual: string | null }
  /** The remote would not have it; `said` is what its hooks printed. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly said: readonly string[] }
  | RemoteTrouble;

const PUSH_TIMEOUT_MS = 15 * 60_000;

/** Only this commit, whatever the person's settings add to their own pushes. */
const ONLY_THIS = ['--no-follow-tags', '--recurse-submodules=no', '--no-signed', '--no-progress', '--porcelain'];

const noteOf = (commit: string): string => `refs/workcenter/pushed/${commit}`;

/**
 * D25: puts exactly one commit on one branch of a remote. It asks first what is there, and a lease on that answer
 * keeps what anybody pushes meanwhile. Replaced is only what we pushed ourselves, by a note made before the push, or
 * what `commit` contains. Repeating it is `already`.
 */
export async function pushCommit(request: PushRequest): Promise<PushResult> {
  const { repository, engine, url, commit, branch, signal } = request;
  const ref = `refs/heads/${branch}`;
  const read = await readRemoteRefs(repository, url, [ref], signal);
  if (read.kind === 'trouble') return read;
  const current = read.refs.get(ref) ?? null;
  if (current === commit) return { kind: 'already' };
  if (current !== null && !(await mayReplace(engine, current, commit))) return { kind: 'moved', actual: current };
  await note(engine, commit);
  const lease = `--force-with-lease=${ref}:${current ?? ''}`;
  const args = ['push', ...ONLY_THIS, lease, '--', url, `${commit}:${ref}`];
  const options = { timeoutMs: PUSH_TIMEOUT_MS, ...(signal ? { signal } : {}) };
  const result = await runRemoteGit(args, repository, options);
  return result.code === 0 ? { kind: 'pushed' } : refusal(request, ref, result);
}

async function mayReplace(engine: GitRepository, current: string, commit: string): Promise<boolean> {
  if ((await readRef(engine, noteOf(current))) !== undefined) return true;
  return (await readRef(engine, current)) !== undefined && (await isAncestor(engine, current, commit));
}

async function note(engine: GitRepository, commit: string): Promise<void> {
  const ref = noteOf(commit);
  if ((await readRef(engine, ref)) !== undefined) return;
  await compareAndSetRef(engine, { ref, to: commit, expected: undefined, reason: 'workcenter: about to push' });
}

/** The line of `--porcelain`: `!`, the refs, a summary in brackets and the cause in parentheses. */
const REFUSED = /^!\t[^\t]*\t\[([^\]]*)\](?: \((.*)\))?$/m;

async function refusal(
  { repository, url, commit, signal }: PushRequest,
  ref: string,
  result: { readonly stdout: string; readonly stderr: string },
): Promise<PushResult> {
  const [, summary, cause] = REFUSED.exec(result.stdout) ?? [];
  if (summary === undefined) return troubleOf(result.stderr);
  if (summary === 'rejected') {
    const now = await readRemoteRefs(repository, url, [ref], signal);
    if (now.kind === 'trouble') return now;
    const actual = now.refs.get(ref) ?? null;
    // A push of an engine that died may have gone on by itself.
    return actual === commit ? { kind: 'already' } : { kind: 'moved', actual };
  }
  return { kind: 'rejected', reason: cause ?? summary, said: saidByRemote(result.stderr) };
}

/** What the other side printed, hooks above all, as plain lines. */
export const saidByRemote = (stderr: string): readonly string[] =>
  stderr
    .split(/[\r\n]+/)
    .flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1] ?? [])
    // Colours and the like are a foreign machine's; nothing of them reaches a terminal of ours.
    .map((line) =>
      line
        .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '')
        .replace(/\p{Cc}/gu, ' ')
        .trimEnd(),
    )
    .filter((line) => line !== '');
