import { runRemoteGit, type UserRepository } from './remote-git.ts';
import { type RemoteTrouble, troubleOf } from './trouble.ts';

export type RefsRead = { readonly kind: 'refs'; readonly refs: ReadonlyMap<string, string> } | RemoteTrouble;

/** What a remote holds under these names or patterns (such as all heads of pull requests): full ref to commit. */
export async function readRemoteRefs(
  repository: UserRepository,
  url: string,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<RefsRead> {
  const args = ['ls-remote', '--quiet', '--refs', '--', url, ...patterns];
  const result = await runRemoteGit(args, repository, signal ? { signal } : {});
  if (result.code !== 0) return troubleOf(result.stderr);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  const refs = lines.map((line): [string, string] => {
    const [commit = '', ref = ''] = line.split('\t');
    return [ref, commit];
  });
  return { kind: 'refs', refs: new Map(refs) };
}
