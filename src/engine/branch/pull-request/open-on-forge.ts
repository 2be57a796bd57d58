import { compareUrl, type Forge, pullHeadsOf, pullNumberIn, pullsAt } from '../../../workspace/remote/forge.ts';
import {
  ensurePull,
  type GithubRepository,
  githubRepository,
  type PullResult,
  verifyPull,
} from '../../../workspace/remote/github-pulls.ts';
import { readRemoteRefs } from '../../../workspace/remote/remote-refs.ts';
import { type Destination, withBackOff } from './destination.ts';
import { githubToken } from './github-token.ts';
import { pullWords } from './words.ts';

/** What stands in the way, as a person is asked about it. */
export type Obstacle = Readonly<{ code: string; question: string; details: readonly string[] }>;
export type Opened = Readonly<{ url: string }> | Obstacle;

/** The API of the forge, where we speak it and have a token. */
export async function apiOf({ world, forge, github, signal }: Destination): Promise<GithubRepository | undefined> {
  if (forge?.apiUrl === undefined) return undefined;
  // A token that settings name is for the API that they name.
  const tokenEnv = github?.apiUrl === undefined || github.apiUrl === forge.apiUrl ? github?.tokenEnv : undefined;
  const token = await githubToken(world.env, { host: forge.host, tokenEnv });
  return token === undefined ? undefined : githubRepository(forge.apiUrl, forge.path, token, signal);
}

export interface NamedPulls {
  /** At exactly the commit, in our repository: that is the delivery. */
  readonly ours?: string;
  /** What else executors named, with why it is not delivery. */
  readonly others: readonly string[];
}

/** D25: the pull requests that executors named, looked up. Where nothing can be looked up, none of them counts. */
export async function namedPulls(
  to: Destination,
  forge: Forge,
  api: GithubRepository | undefined,
): Promise<NamedPulls> {
  const outputs = to.state.actions.flatMap(({ result }) => result?.outcome.outputs ?? []);
  const named = [...new Set(outputs.flatMap(({ kind, ref }) => (kind === 'pr' ? [ref] : [])))];
  const others: string[] = [];
  for (const url of named) {
    const found = await lookUp(to, pullNumberIn(forge, url), api);
    if (found === undefined) return { ours: url, others };
    others.push(`${url} (${found})`);
  }
  return { others };
}

/** Why a named pull request is not ours; undefined when it is. */
async function lookUp(
  to: Destination,
  number: number | undefined,
  api: GithubRepository | undefined,
): Promise<string | undefined> {
  if (number === undefined) return 'in another repository';
  if (!api) return 'not to be verified from here';
  const { commit, base } = to;
  const isTrouble = (result: PullResult): boolean => result.kind === 'trouble';
  const found = await withBackOff(to, isTrouble, () => verifyPull(api, number, { commit, base }));
  switch (found.kind) {
    case 'open':
      return undefined;
    case 'mismatch':
      return found.differences.join('; ');
    case 'refused':
      return found.reasons.join('; ');
    case 'trouble':
      return found.reason;
  }
}

/** Opens the pull request of a branch that is pushed, finds the one that is open, or says what a person can do. */
export async function openOnForge(
  to: Destination,
  forge: Forge,
  api: GithubRepository | undefined,
  notOurs: readonly string[],
): Promise<Opened> {
  if (!api) return openedByHand(to, forge);
  const { state, commit, branch, base, clean } = to;
  const wish = { commit, head: branch, base, ...pullWords(state, notOurs, clean) };
  // After a push the server may be a moment behind with a pull request that was open before.
  const isPassing = (result: PullResult): boolean =>
    result.kind === 'trouble' || (result.kind === 'mismatch' && result.reused);
  const result = await withBackOff(to, isPassing, () => ensurePull(api, wish));
  return result.kind === 'open' ? { url: result.url } : obstacleOf(to, forge, result);
}

function obstacleOf(
  { base, branch }: Destination,
  forge: Forge,
  result: Exclude<PullResult, { kind: 'open' }>,
): Obstacle {
  const here = `${forge.host}/${forge.path}`;
  switch (result.kind) {
    case 'mismatch': {
      const question = `The pull request ${result.url} is not of the proven commit. Mend or close it, then retry.`;
      return { code: 'pull_request_mismatch', question, details: result.differences };
    }
    case 'refused': {
      const isDenied = result.status !== 422 && result.status !== 400;
      const next = isDenied
        ? 'Give a token that may open pull requests there'
        : 'Mend what it says, or open it yourself';
      const question = `${here} refused the pull request (${result.status}). ${next}, then retry.`;
      return {
        code: isDenied ? 'pull_request_denied' : 'pull_request_refused',
        question,
        details: [...result.reasons, compareUrl(forge, base, branch)],
      };
    }
    case 'trouble': {
      const question = `${here} could not be reached for the pull request. Retry when it can.`;
      return { code: 'pull_request_failed', question, details: [result.reason] };
    }
  }
}

/** Without an API a person opens it; the forge's own refs then show whether it is at our commit. */
async function openedByHand(to: Destination, forge: Forge): Promise<Opened> {
  const { repository, remote, commit, branch, base, signal } = to;
  const pattern = pullHeadsOf(forge);
  const read = pattern === undefined ? undefined : await readRemoteRefs(repository, remote.url, [pattern], signal);
  const [url] = read?.kind === 'refs' ? pullsAt(forge, read.refs, commit) : [];
  if (url !== undefined) return { url };
  const then = pattern === undefined ? 'then answer that the branch is enough' : 'then retry';
  const token = forge.kind === 'github' ? ' (or give a token: GITHUB_TOKEN, or github.tokenEnv in settings)' : '';
  return {
    code: 'pull_request_manual',
    question: `The branch ${branch} is pushed. Open its pull request into ${base} yourself${token}, ${then}.`,
    details: [`${remote.shown} holds ${commit} as refs/heads/${branch}`, compareUrl(forge, base, branch)],
  };
}
