import { setTimeout as sleep } from 'node:timers/promises';
import type { ItemState } from '../../../core/index.ts';
import { redact, secretValues } from '../../../text/redact.ts';
import { findRemote, type Remote, type RemoteFound } from '../../../workspace/remote/find-remote.ts';
import { type Forge, forgeOf } from '../../../workspace/remote/forge.ts';
import type { UserRepository } from '../../../workspace/remote/remote-git.ts';
import { credentialsOf } from '../../../workspace/remote/remote-url.ts';
import { patiently } from '../../../workspace/remote/trouble.ts';
import { type Configuration, readConfiguration } from '../../configuration.ts';
import { gitBaseOf } from '../../repository.ts';
import { secretsOf } from '../../run/confinement.ts';
import { itemBranchName, type World } from '../../world.ts';

/** Everything one delivery by pull request goes by; found out anew at every try. */
export interface Destination {
  readonly world: World;
  readonly state: ItemState;
  readonly repository: UserRepository;
  readonly remote: Remote;
  readonly forge: Forge | undefined;
  readonly github: Configuration['github'];
  readonly commit: string;
  /** Short names: what is pushed, and what it is for. */
  readonly branch: string;
  readonly base: string;
  readonly signal: AbortSignal;
  /** Takes secrets out of what is kept, shown or sent (D38). */
  readonly clean: (text: string) => string;
}

/** Where the item's result goes; `none` when the person's repository does not say. */
export async function destinationOf(
  world: World,
  state: ItemState,
  signal: AbortSignal,
): Promise<Destination | Extract<RemoteFound, { kind: 'none' }>> {
  const { gitDir, topLevel } = gitBaseOf(state);
  const repository = { gitDir, topLevel, userEnv: world.env };
  const base = state.contract.delivery.branch ?? '';
  const found = await findRemote(repository, base);
  if (found.kind === 'none') return found;
  const { remote } = found;
  const { github } = readConfiguration((await world.store.readSettings()).value);
  const token = world.env[github?.tokenEnv ?? ''] ?? '';
  const secrets = [...secretsOfItem(world, state), ...credentialsOf(remote.url), token];
  return {
    world,
    state,
    repository,
    remote,
    forge: forgeOf(remote.addresses, github?.apiUrl),
    github,
    commit: state.branch.head,
    branch: itemBranchName(state),
    base,
    signal,
    clean: (text) => redact(text, secrets),
  };
}

/** Of the engine's own environment, and of all that the contract and the plan declare. */
function secretsOfItem(world: World, state: ItemState): readonly string[] {
  const declared = state.contract.criteria.flatMap(({ check }) => secretValues(check?.env ?? {}));
  return [
    ...secretsOf(world, { env: {} }),
    ...declared,
    ...state.actions.flatMap(({ spec }) => secretsOf(world, spec)),
  ];
}

/** In units of the engine's poll: together some seconds, within which most networks come back. */
const PAUSES = [1, 3, 9] as const;

/** Repeats what met passing trouble, with growing pauses; the engine's stop ends them. */
export const withBackOff = <T>(
  { world, signal }: Pick<Destination, 'world' | 'signal'>,
  isPassing: (answer: T) => boolean,
  work: () => Promise<T>,
): Promise<T> =>
  patiently(work, {
    isPassing,
    pausesMs: PAUSES.map((polls) => polls * world.settings.pollMs),
    pause: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    signal,
  });
