import { runRemoteGit, type UserRepository } from './remote-git.ts';
import { parseRemote, type RemoteAddress, shownRemote } from './remote-url.ts';

export interface Remote {
  readonly name: string;
  /** As configured, maybe with a secret in it: for git only. */
  readonly url: string;
  /** The same without a secret, to be kept and shown. */
  readonly shown: string;
  /** Where it is: as it is written, then as the person's own short forms (`insteadOf`) spell it out. */
  readonly addresses: readonly RemoteAddress[];
}

export type RemoteFound =
  | { readonly kind: 'found'; readonly remote: Remote }
  /** Nothing to push to, or several without a word which. */
  | { readonly kind: 'none'; readonly names: readonly string[] };

/**
 * The remote that results for `branch` are pushed to: the branch's own upstream, else `origin`, else the only one.
 * Reads the person's configuration; nothing of it is run, and nothing is written.
 */
export async function findRemote(repository: UserRepository, branch: string): Promise<RemoteFound> {
  const pattern = '^(branch\\..*\\.remote|remote\\..*\\.(url|pushurl))$';
  const { stdout } = await runRemoteGit(['config', '-z', '--get-regexp', pattern], repository);
  const settings = settingsOf(stdout);
  const urlOf = (name: string | undefined): string | undefined =>
    settings.get(`remote.${name}.pushurl`) ?? settings.get(`remote.${name}.url`);
  const names = [
    ...new Set([...settings.keys()].flatMap((key) => /^remote\.(.*)\.(?:url|pushurl)$/s.exec(key)?.[1] ?? [])),
  ];
  const candidates = [settings.get(`branch.${branch}.remote`), 'origin', names.length === 1 ? names[0] : undefined];
  const name = candidates.find((candidate) => urlOf(candidate) !== undefined);
  const url = urlOf(name);
  if (name === undefined || url === undefined) return { kind: 'none', names };
  const spelled = (await runRemoteGit(['remote', 'get-url', '--push', name], repository)).stdout.trim();
  const addresses = [...new Set([url, spelled || url])].map(parseRemote);
  return { kind: 'found', remote: { name, url, shown: shownRemote(url, repository.topLevel), addresses } };
}

/** `key\nvalue` fields; the first value of a key counts, as it does for git's own fetches and pushes. */
function settingsOf(listing: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const field of listing.split('\0')) {
    const cut = field.indexOf('\n');
    const key = field.slice(0, cut);
    if (cut > 0 && !settings.has(key)) settings.set(key, field.slice(cut + 1));
  }
  return settings;
}
