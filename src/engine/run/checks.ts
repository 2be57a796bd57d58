import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemState } from '../../core/index.ts';
import type { RunIo } from '../../executors/executor.ts';
import type { CheckSource } from '../../executors/verify/check-source.ts';
import { gitSource } from '../../executors/verify/git-source.ts';
import { plainSource } from '../../executors/verify/plain-source.ts';
import type { BaseResult, ChecksRequest } from '../../executors/verify/run-checks.ts';
import { repositoryOf } from '../repository.ts';
import type { World } from '../world.ts';
import { confinementOf } from './confinement.ts';

/** What checks said on a base, by item: a cache, so that a base is asked once per process; losing it costs time only. */
const knownBases = new Map<string, readonly BaseResult[]>();
const KNOWN_ITEMS_MAX = 200;

export const knownBaseOf = (itemId: string): readonly BaseResult[] => knownBases.get(itemId) ?? [];

export function rememberBase(itemId: string, results: readonly BaseResult[]): void {
  const all = [...knownBaseOf(itemId), ...results];
  knownBases.delete(itemId);
  knownBases.set(itemId, all);
  const [oldest] = knownBases.keys();
  if (knownBases.size > KNOWN_ITEMS_MAX && oldest !== undefined) knownBases.delete(oldest);
}

/** The two states that a check compares: the base and `commit`; copies of the directory where nothing is isolated. */
export async function sourceOf(world: World, state: ItemState, commit: string): Promise<CheckSource> {
  const { base, contract, branch } = state;
  if (base.kind === 'git' && contract.workspace === 'isolated') {
    const repo = await repositoryOf(world, state);
    return gitSource({ repo, base: branch.base, commit, subdirectory: base.subdirectory });
  }
  const baseCopy = world.home.plainBase(state.id);
  return plainSource({ directory: contract.directory, ...(existsSync(baseCopy) ? { baseCopy } : {}) });
}

/** Everything `runChecks` needs for an item, but for the criteria. */
export async function checksRequest(
  world: World,
  state: ItemState,
  source: CheckSource,
  run: { readonly runId: string; readonly epoch: number; readonly io: RunIo },
): Promise<Omit<ChecksRequest, 'criteria'>> {
  const { setup } = state.contract;
  return {
    source,
    ...(setup ? { setup } : {}),
    ...run,
    cacheRoot: world.home.setups,
    workRoot: join(world.home.root, 'checks'),
    confinement: confinementOf(world, state),
    knownBase: knownBaseOf(state.id),
    engine: `workcenter ${world.worker.version}`,
  };
}
