import type { RemoteAddress } from './remote-url.ts';

/** A place that has pull requests, by whatever name. */
export interface Forge {
  readonly kind: 'github' | 'gitlab' | 'bitbucket' | 'gitea';
  readonly host: string;
  /** `owner/name`; groups may nest. */
  readonly path: string;
  /** Base of the API; only where we speak it. */
  readonly apiUrl?: string;
}

type Network = Extract<RemoteAddress, { kind: 'network' }>;

export const GITHUB_API = 'https://api.github.com';

/** Hosts by which ssh is reached where its own port is closed. */
const ALIASES: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

const KNOWN: readonly (readonly [RegExp, Forge['kind']])[] = [
  [/^github\.com$/, 'github'],
  [/^(?:.+\.)?gitlab\./, 'gitlab'],
  [/^bitbucket\.org$/, 'bitbucket'],
  [/^codeberg\.org$|^(?:.+\.)?(?:gitea|forgejo)\./, 'gitea'],
];

/** The host whose repositories an API serves: `api.github.com` is `github.com`; an installation's own is itself. */
const webHostOf = (apiUrl: string): string | undefined =>
  URL.canParse(apiUrl) ? new URL(apiUrl).host.toLowerCase().replace(/^api\./, '') : undefined;

/**
 * Which forge a remote is at; undefined for a plain git remote. `apiUrl` is the configured API of a GitHub: its host
 * counts as one.
 */
export function forgeOf(addresses: readonly RemoteAddress[], apiUrl?: string): Forge | undefined {
  for (const address of addresses) {
    const forge = address.kind === 'network' ? forgeAt(address, apiUrl) : undefined;
    if (forge) return forge;
  }
  return undefined;
}

function forgeAt({ host: given, path }: Network, apiUrl: string | undefined): Forge | undefined {
  const host = ALIASES[given] ?? given;
  if (!/^[^/]+(?:\/[^/]+)+$/.test(path)) return undefined;
  if (apiUrl !== undefined && host === webHostOf(apiUrl)) return { kind: 'github', host, path, apiUrl };
  const kind = KNOWN.find(([hosts]) => hosts.test(host))?.[1];
  if (kind === undefined) return undefined;
  return { kind, host, path, ...(kind === 'github' ? { apiUrl: GITHUB_API } : {}) };
}

interface Ways {
  /** Where a person opens a pull request of a branch that is pushed. */
  readonly compare: (base: string, head: string) => string;
  /** The ref by which the forge shows the head of every pull request; not all do. */
  readonly heads?: { readonly pattern: string; readonly number: RegExp };
  readonly pull: (number: string) => string;
}

const PULL_HEADS = { pattern: 'refs/pull/*/head', number: /^refs\/pull\/(\d+)\/head$/ };
const MERGE_HEADS = { pattern: 'refs/merge-requests/*/head', number: /^refs\/merge-requests\/(\d+)\/head$/ };

const WAYS: Readonly<Record<Forge['kind'], Ways>> = {
  github: {
    compare: (base, head) => `/compare/${base}...${head}?expand=1`,
    heads: PULL_HEADS,
    pull: (number) => `/pull/${number}`,
  },
  gitlab: {
    compare: (base, head) =>
      `/-/merge_requests/new?merge_request%5Bsource_branch%5D=${head}&merge_request%5Btarget_branch%5D=${base}`,
    heads: MERGE_HEADS,
    pull: (number) => `/-/merge_requests/${number}`,
  },
  bitbucket: {
    compare: (base, head) => `/pull-requests/new?source=${head}&dest=${base}`,
    pull: (number) => `/pull-requests/${number}`,
  },
  gitea: {
    compare: (base, head) => `/compare/${base}...${head}`,
    heads: PULL_HEADS,
    pull: (number) => `/pulls/${number}`,
  },
};

const webOf = ({ host, path }: Forge): string => `https://${host}/${path}`;
const spelled = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/');

/** Where a person can open the pull request themselves. */
export const compareUrl = (forge: Forge, base: string, head: string): string =>
  `${webOf(forge)}${WAYS[forge.kind].compare(spelled(base), spelled(head))}`;

/** Pattern of the refs that show heads of pull requests; undefined where the forge has none. */
export const pullHeadsOf = ({ kind }: Forge): string | undefined => WAYS[kind].heads?.pattern;

/** The pull requests, of those refs, whose head is exactly `commit`; newest first. */
export function pullsAt(forge: Forge, refs: ReadonlyMap<string, string>, commit: string): readonly string[] {
  const { heads, pull } = WAYS[forge.kind];
  const numbers = [...refs].flatMap(([ref, head]) => (head === commit ? (heads?.number.exec(ref)?.[1] ?? []) : []));
  return numbers.sort((a, b) => Number(b) - Number(a)).map((number) => `${webOf(forge)}${pull(number)}`);
}

/** The number of a pull request that an address names in this very repository; undefined when it is elsewhere. */
export function pullNumberIn({ host, path }: Forge, url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const [, where, number] =
    /^\/(.+?)\/(?:-\/merge_requests|pulls?|pull-requests)\/([1-9]\d*)$/.exec(parsed.pathname) ?? [];
  const isHere = parsed.host.toLowerCase() === host && where?.toLowerCase() === path.toLowerCase();
  return isHere ? Number(number) : undefined;
}
