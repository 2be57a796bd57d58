import { join } from 'node:path';
import type { ItemState } from '../../core/index.ts';
import type { RunIo } from '../../executors/executor.ts';
import { pathsOf, provideTo, setupFor } from '../../executors/verify/setup.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { excludePaths } from '../../workspace/git/exclude.ts';
import type { World } from '../world.ts';
import { checksRequest, sourceOf } from './checks.ts';
import type { Workplace } from './workplace.ts';

/** Set-ups in flight by item, so that two Runs that start together build one. */
const building = new Map<string, Promise<unknown>>();

/**
 * Gives a fresh workspace its private copy of the set-up result (D23). The set-up itself runs once, in a clean
 * checkout of the base; a failure is thrown with the end of its log, and fails the Run before it was dispatched.
 */
export async function provideDependencies(
  world: World,
  state: ItemState,
  workplace: Workplace,
  run: { readonly runId: string; readonly epoch: number; readonly io: RunIo },
): Promise<void> {
  if (!state.contract.setup || !workplace.fresh || !workplace.repo) return;
  while (building.has(state.id)) await building.get(state.id)?.catch(() => undefined);
  const work = provide(world, state, workplace, run);
  building.set(state.id, work);
  try {
    await work;
  } finally {
    building.delete(state.id);
  }
}

async function provide(
  world: World,
  state: ItemState,
  workplace: Workplace,
  run: { readonly runId: string; readonly epoch: number; readonly io: RunIo },
): Promise<void> {
  const source = await sourceOf(world, state, workplace.base);
  const workDir = join(world.home.root, 'checks', `setup-${run.runId}-${run.epoch}`);
  try {
    const place = { ...(await checksRequest(world, state, source, run)), workDir };
    const result = await setupFor(place, 'base');
    if (result.kind === 'failed')
      throw new Error(`The set-up failed (exit ${result.exitCode ?? 'none'}).\n${result.log.tail}`);
    if (result.kind === 'not_started') throw new Error(`The set-up could not be started: ${result.detail}`);
    if (result.kind === 'stopped') throw new Error('The set-up was ended.');
    await provideTo(result, workplace.path, world.now());
    await keepOutOfResults(workplace, await pathsOf(result));
  } finally {
    await removeTree(workDir);
  }
}

/** What the set-up brought is nobody's work, also where the project's own ignore rules do not name it. */
async function keepOutOfResults(workplace: Workplace, paths: readonly string[]): Promise<void> {
  if (workplace.repo) await excludePaths(workplace.repo.gitDir, paths);
  await excludePaths(join(workplace.path, '.git'), paths);
}
