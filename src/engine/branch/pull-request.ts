import { dueOf, type ItemState } from '../../core/index.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import type { GithubRepository } from '../../workspace/remote/github-pulls.ts';
import { type PushResult, pushCommit } from '../../workspace/remote/push-commit.ts';
import type { World } from '../world.ts';
import { type Destination, destinationOf, withBackOff } from './pull-request/destination.ts';
import {
  apiOf,
  type NamedPulls,
  namedPulls,
  type Obstacle,
  type Opened,
  openOnForge,
} from './pull-request/open-on-forge.ts';
import { block, send } from './step.ts';

const NOTHING_NAMED: NamedPulls = { others: [] };

const DETAILS_MAX = 40;
const DETAIL_CHARS = 1_000;

/**
 * D25: delivers by pull request. Exactly the proven commit is pushed to the recorded remote under the item's branch
 * name, and a pull request of it is opened, found again, or asked for; a plain git remote has none, there the pushed
 * ref is the reference. Every step asks the remote first what is there, so a repeat after a crash changes nothing.
 */
export async function openPullRequest(
  world: World,
  state: ItemState,
  repo: EngineRepository,
  signal: AbortSignal,
): Promise<boolean> {
  const to = await destinationOf(world, state, signal);
  if ('kind' in to) return askForRemote(world, state, to.names);
  const api = await apiOf(to);
  const named = to.forge ? await namedPulls(to, to.forge, api) : NOTHING_NAMED;
  const opened = named.ours === undefined ? await pushAndOpen(to, repo, api, named.others) : { url: named.ours };
  // What was cut off by the engine's own stop is no finding; the next engine takes the step again.
  if (opened === undefined || signal.aborted) return false;
  if (!('url' in opened)) return ask(to, opened);
  const { commit, branch } = to;
  return send(world, state, { type: 'RecordPullRequest', pull: { url: opened.url, commit, branch } });
}

/** Undefined when the delivery is no longer due: somebody spoke while we looked around. */
async function pushAndOpen(
  to: Destination,
  repo: EngineRepository,
  api: GithubRepository | undefined,
  notOurs: readonly string[],
): Promise<Opened | undefined> {
  const { repository, remote, forge, commit, branch, signal } = to;
  const request = { repository, engine: repo, url: remote.url, commit, branch, signal };
  const isPassing = (result: PushResult | undefined): boolean => result?.kind === 'trouble' && result.passing;
  const pushed = await withBackOff(to, isPassing, async () =>
    (await isStillDue(to)) ? pushCommit(request) : undefined,
  );
  if (pushed === undefined) return undefined;
  if (pushed.kind !== 'pushed' && pushed.kind !== 'already') return obstacleOf(to, pushed);
  return forge ? openOnForge(to, forge, api, notOurs) : { url: `${remote.shown}#refs/heads/${branch}` };
}

/** Nothing leaves while a criterion is unproven, or a person has stopped it. */
async function isStillDue({ world, state, commit }: Destination): Promise<boolean> {
  const now = await world.store.load(state.id);
  return now !== undefined && now.branch.head === commit && dueOf(now).some(({ kind }) => kind === 'pull_request');
}

function obstacleOf(
  { remote, branch }: Destination,
  result: Exclude<PushResult, { kind: 'pushed' } | { kind: 'already' }>,
): Obstacle {
  switch (result.kind) {
    case 'moved': {
      const question = `${branch} on ${remote.shown} holds commits that are not ours. Move it away, then retry.`;
      return { code: 'push_moved', question, details: [result.actual ?? 'no commit'] };
    }
    case 'rejected': {
      const question = `${remote.shown} refused the push of ${branch}: ${result.reason}. Mend what it says, then retry.`;
      return { code: 'push_rejected', question, details: result.said };
    }
    case 'trouble': {
      const question = `${branch} could not be pushed to ${remote.shown}. Mend what git says, then retry.`;
      return { code: 'push_failed', question, details: result.reason.split('\n') };
    }
  }
}

const ask = ({ world, state, clean }: Destination, { code, question, details }: Obstacle): Promise<boolean> => {
  const shown = details.slice(0, DETAILS_MAX).map((detail) => clean(detail).slice(0, DETAIL_CHARS));
  return block(world, state, code, clean(question), shown);
};

function askForRemote(world: World, state: ItemState, names: readonly string[]): Promise<boolean> {
  const { branch } = state.contract.delivery;
  const question =
    names.length === 0
      ? 'The repository has no remote to push to. Add one (git remote add origin URL), then retry.'
      : `Several remotes, and none is origin or that of ${branch}. Say which (git branch --set-upstream-to), then retry.`;
  return block(world, state, 'push_no_remote', question, names);
}
