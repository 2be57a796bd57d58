import { type Due, dueOf, type ItemState } from '../../core/index.ts';
import { isStoreError } from '../../store/store-error.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { gitBaseOf, repositoryOf } from '../repository.ts';
import { inSpan } from '../telemetry.ts';
import type { World } from '../world.ts';
import { underLease } from './branch-lease.ts';
import { land } from './land.ts';
import { mergeResult } from './merge-result.ts';
import { publish } from './publish.ts';
import { openPullRequest } from './pull-request.ts';
import { block } from './step.ts';

/** A step of the item branch or its delivery: everything that is due besides Runs and decisions. */
type BranchStep = Extract<Due, { kind: 'merge' }> | Readonly<{ kind: DeliveryStep; at: number }>;
type DeliveryStep = Exclude<Due['kind'], 'claim' | 'decide' | 'merge'>;

const MAX_STEPS = 200;
const DETAIL_CHARS = 1_000;

/**
 * Carries an item's merges, publishing and landing as far as they go, under a lease on its branch: any process may
 * do it, one at a time. Every step finds its own earlier effect after a crash (D32).
 * @returns the step that is due and changed nothing, if it ended at one
 */
export async function advanceBranch(
  world: World,
  itemId: string,
  signal: AbortSignal,
): Promise<BranchStep['kind'] | undefined> {
  let left: BranchStep['kind'] | undefined;
  await underLease(world, `branch:${itemId}`, async () => {
    for (let steps = 0; steps < MAX_STEPS && !signal.aborted; steps += 1) {
      const state = await world.store.load(itemId);
      const step = state && nextStep(state);
      if (!state || !step) return true;
      const about = { 'workcenter.item': itemId };
      left = step.kind;
      if (!(await inSpan(`workcenter.${step.kind}`, about, () => take(world, state, step, signal)))) return true;
      left = undefined;
    }
    return true;
  });
  return left;
}

/** What the branch is due for; undefined when it can only wait. */
export const nextStep = (state: ItemState): BranchStep | undefined =>
  dueOf(state).find((step): step is BranchStep => step.kind !== 'claim' && step.kind !== 'decide');

/** Takes one step; false when it changed nothing, so that a refusal cannot become a loop. */
async function take(world: World, state: ItemState, step: BranchStep, signal: AbortSignal): Promise<boolean> {
  if (step.kind === 'merge') return mergeResult(world, state, await repositoryOf(world, state), step.actionId);
  try {
    return await deliver(world, state, await repositoryOf(world, state), step.kind, signal);
  } catch (error) {
    // What git cannot do now it will hardly do at the next tick; a person sees why. A landing that is reserved goes on.
    if (isStoreError(error) || state.landing.kind === 'reserved') throw error;
    const question = `The result could not be delivered to ${gitBaseOf(state).topLevel}. Mend it, then retry.`;
    const reason = error instanceof Error ? error.message : String(error);
    return block(world, state, FAILED[step.kind], question, [reason.slice(0, DETAIL_CHARS)]);
  }
}

const FAILED: Readonly<Record<DeliveryStep, string>> = {
  publish: 'publish_failed',
  pull_request: 'pull_request_failed',
  land: 'landing_failed',
};

function deliver(
  world: World,
  state: ItemState,
  repo: EngineRepository,
  kind: DeliveryStep,
  signal: AbortSignal,
): Promise<boolean> {
  switch (kind) {
    case 'publish':
      return publish(world, state, repo);
    case 'pull_request':
      return openPullRequest(world, state, repo, signal);
    case 'land':
      return land(world, state, repo, signal);
  }
}
