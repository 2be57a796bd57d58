import type { Octokit } from '@octokit/rest';

/** One repository of a GitHub, spoken to with a token. */
export interface GithubRepository {
  readonly api: Octokit;
  readonly owner: string;
  readonly repo: string;
  readonly signal: AbortSignal;
}

export interface PullWish {
  readonly commit: string;
  /** Short name of the pushed branch, and of the branch that it is for. */
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export type PullResult =
  | { readonly kind: 'open'; readonly url: string; readonly reused: boolean }
  /** A pull request that is not at the commit, or not from and to where it should be. */
  | {
      readonly kind: 'mismatch';
      readonly url: string;
      readonly reused: boolean;
      readonly differences: readonly string[];
    }
  /** 401, 403, 404, 422: asking again would not help. */
  | { readonly kind: 'refused'; readonly status: number; readonly reasons: readonly string[] }
  /** The server is unwell, out of reach, or has had enough of us for now. */
  | { readonly kind: 'trouble'; readonly reason: string };

const REQUEST_TIMEOUT_MS = 30_000;
const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** `path` is `owner/name`. Redirects, errors and time-outs are answers of the functions here; nothing is logged. */
export async function githubRepository(
  apiUrl: string,
  path: string,
  token: string,
  signal: AbortSignal,
): Promise<GithubRepository> {
  // Loaded by those who deliver there: it is large, and every command would wait for it.
  const { Octokit } = await import('@octokit/rest');
  const [owner = '', repo = ''] = path.split('/');
  const options = { auth: token, baseUrl: apiUrl.replace(/\/+$/, ''), log: QUIET, userAgent: 'workcenter' };
  return { api: new Octokit(options), owner, repo, signal };
}

/** What we look at in an answer; the rest of it is not ours. */
interface Pull {
  readonly html_url: string;
  readonly state: string;
  readonly head: { readonly sha: string; readonly ref: string; readonly repo: { readonly full_name: string } | null };
  readonly base: { readonly ref: string; readonly repo: { readonly full_name: string } };
}

/**
 * D25: a pull request of `head` into `base`, at exactly `commit`. One that is open already is used again, so that a
 * repeat after a crash, or after an answer that was lost, opens no second one.
 */
export async function ensurePull(at: GithubRepository, wish: PullWish): Promise<PullResult> {
  try {
    const known = await openPull(at, wish);
    if (known) return judge(at, known, wish, true);
    const { api, owner, repo } = at;
    const { head, base, title, body } = wish;
    const made = await api.rest.pulls.create({ owner, repo, head, base, title, body, ...limits(at) });
    return judge(at, made.data, wish, false);
  } catch (error) {
    return failureOf(error);
  }
}

/** The open pull request of this number, if it is at exactly `commit` and into `base`, from whatever branch of ours. */
export async function verifyPull(
  at: GithubRepository,
  number: number,
  wish: Pick<PullWish, 'commit' | 'base'>,
): Promise<PullResult> {
  try {
    const { api, owner, repo } = at;
    const { data } = await api.rest.pulls.get({ owner, repo, pull_number: number, ...limits(at) });
    return judge(at, data, { ...wish, head: data.head.ref }, true);
  } catch (error) {
    return failureOf(error);
  }
}

const limits = ({ signal }: GithubRepository) => ({
  request: { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) },
});

async function openPull(at: GithubRepository, { head, base }: PullWish): Promise<Pull | undefined> {
  const { api, owner, repo } = at;
  const filter = { owner, repo, state: 'open', head: `${owner}:${head}`, base } as const;
  const { data } = await api.rest.pulls.list({ ...filter, ...limits(at) });
  if (!Array.isArray(data)) throw new TypeError('the API answered something else than a list of pull requests');
  // Some servers ignore filters they do not know.
  return data.find((pull) => pull.head.ref === head && pull.base.ref === base && pull.state === 'open');
}

function judge(
  { owner, repo }: GithubRepository,
  pull: Pull,
  wish: Pick<PullWish, 'commit' | 'head' | 'base'>,
  reused: boolean,
): PullResult {
  const ours = `${owner}/${repo}`.toLowerCase();
  const facts: readonly (readonly [string, string, string])[] = [
    ['head commit', wish.commit, pull.head.sha],
    ['head branch', wish.head, pull.head.ref],
    ['head repository', ours, pull.head.repo?.full_name.toLowerCase() ?? 'none'],
    ['base branch', wish.base, pull.base.ref],
    ['base repository', ours, pull.base.repo.full_name.toLowerCase()],
    ['state', 'open', pull.state],
  ];
  const differences = facts.flatMap(([what, expected, found]) =>
    expected === found ? [] : [`${what}: expected ${expected}, found ${found}`],
  );
  const url = pull.html_url;
  return differences.length === 0 ? { kind: 'open', url, reused } : { kind: 'mismatch', url, reused, differences };
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 422]);

function failureOf(error: unknown): PullResult {
  const reason = error instanceof Error ? error.message : String(error);
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 0;
  if (!REFUSALS.has(status) || isRateLimit(error)) return { kind: 'trouble', reason };
  return { kind: 'refused', status, reasons: [reason] };
}

/** A 403 that means "later". */
function isRateLimit(error: unknown): boolean {
  if (!(error instanceof Error && 'response' in error)) return false;
  const headers: unknown = Reflect.get(Object(error.response), 'headers');
  const said = (name: string): unknown => Reflect.get(Object(headers), name);
  return said('retry-after') !== undefined || said('x-ratelimit-remaining') === '0';
}
