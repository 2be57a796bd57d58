import { join } from 'node:path';
import type { ActionSpec, ItemState } from '../../core/index.ts';
import type { Confinement } from '../../executors/confinement.ts';
import { secretValues } from '../../text/redact.ts';
import type { World } from '../world.ts';
import type { NamedSecret } from './secrets-in-result.ts';
import type { Workplace } from './workplace.ts';

/** Names whose values must never appear in an output (D38). */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)/i;
const SECRET_MIN_CHARS = 8;

/** Values that nothing we keep or publish may hold: of our own environment, and of what the plan declares. */
export const secretsOf = (world: World, spec: Pick<ActionSpec, 'env'>): readonly string[] =>
  [...secretsIn(world.env), ...secretValues(spec.env)].filter((value) => value.length >= SECRET_MIN_CHARS);

const secretsIn = (env: World['env']): readonly string[] => namedSecretsIn(env).map(({ value }) => value);

/** Secrets of our own environment, with their names. */
export const namedSecretsIn = (env: World['env']): readonly NamedSecret[] =>
  Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SECRET_MIN_CHARS)
    .map(([name, value]) => ({ name, value }));

/** What every process of a Run is kept from: our data, other workspaces, the user's home and refs. */
export const confinementOf = (
  world: World,
  state: Pick<ItemState, 'base'>,
  workplace?: Pick<Workplace, 'repo'>,
): Confinement => confinedTo(world, state.base, workplace);

/** The same for a process on a base that is nobody's yet. */
export function confinedTo(world: World, base: ItemState['base'], workplace?: Pick<Workplace, 'repo'>): Confinement {
  const objects = base.kind === 'git' ? [join(base.gitDir, 'objects')] : [];
  const engineObjects = workplace?.repo ? [join(workplace.repo.gitDir, 'objects')] : [];
  return {
    enforcement: world.enforcement,
    parentEnvironment: world.env,
    hidden: [world.home.root],
    readable: [...engineObjects, ...objects],
    userHome: world.userHome,
    toolPaths: world.toolPaths,
    secrets: secretsIn(world.env),
  };
}
