import { rm } from 'node:fs/promises';
import type { CommandBody, ItemState } from '../../core/index.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { completeLanding, type LandingResult, type LandOptions, landOnTarget } from '../../workspace/landing/land.ts';
import { landingStatus } from '../../workspace/landing/landing-state.ts';
import { type LandingPlan, type LandingRequest, planLanding } from '../../workspace/landing/plan-landing.ts';
import { syncWithTarget } from '../../workspace/landing/sync.ts';
import { gitBaseOf, stamp } from '../repository.ts';
import { issue, type World, wasRefused } from '../world.ts';
import { underLease } from './branch-lease.ts';
import { block, send } from './step.ts';

const landingRequest = (world: World, state: ItemState, repo: EngineRepository): LandingRequest => ({
  engineGitDir: repo.gitDir,
  userGitDir: gitBaseOf(state).gitDir,
  branch: state.contract.delivery.branch ?? '',
  commit: state.landing.kind === 'reserved' ? state.landing.commit : state.branch.head,
  userEnv: world.env,
});

/** Under a lease on the target ref: two items that land on one branch take turns (D32). */
export function land(world: World, state: ItemState, repo: EngineRepository, signal: AbortSignal): Promise<boolean> {
  const request = landingRequest(world, state, repo);
  // We stop waiting when the engine stops; the landing itself goes on without us and is found again.
  const options = { stateDir: world.home.landing(state.id), signal };
  return underLease(world, `ref:${request.userGitDir}:${request.branch}`, () =>
    state.landing.kind === 'reserved'
      ? resumeLanding(world, state, request, options)
      : startLanding(world, state, repo, request, options),
  );
}

async function startLanding(
  world: World,
  state: ItemState,
  repo: EngineRepository,
  request: LandingRequest,
  options: LandOptions,
): Promise<boolean> {
  const plan = await planLanding(request);
  switch (plan.kind) {
    case 'behind':
      return sync(world, state, repo, plan.targetHead);
    case 'overlap': {
      const question = `Your own edits are in the way of ${request.branch}. Commit or stash them, then retry.`;
      return block(world, state, 'landing_overlap', question, plan.paths);
    }
    case 'missing_branch':
      return block(
        world,
        state,
        'landing_missing_branch',
        `There is no branch ${request.branch}. Create it, then retry.`,
      );
    case 'unavailable':
      return block(world, state, 'landing_unavailable', `${request.branch} cannot be moved now: ${plan.reason}`, [
        plan.worktree,
      ]);
    case 'already':
    case 'update_ref':
    case 'fast_forward':
      return reserveAndLand(world, state, plan, request, options);
  }
}

async function reserveAndLand(
  world: World,
  state: ItemState,
  plan: Extract<LandingPlan, { kind: 'already' | 'update_ref' | 'fast_forward' }>,
  request: LandingRequest,
  options: LandOptions,
): Promise<boolean> {
  const reserved = await issue(world, state.id, { type: 'BeginLanding', commit: request.commit });
  if (wasRefused(reserved)) return false;
  if (plan.kind === 'already') return settleLanding(world, reserved.state, { kind: 'landed', commit: request.commit });
  await rm(options.stateDir, { recursive: true, force: true });
  const result = await landOnTarget(plan, request, options);
  return settleLanding(world, reserved.state, result);
}

/** After a crash: whatever the landing process left is completed, or found to be there, or found never begun. */
async function resumeLanding(
  world: World,
  state: ItemState,
  request: LandingRequest,
  options: LandOptions,
): Promise<boolean> {
  const status = await landingStatus(options.stateDir);
  if (status.kind !== 'none') {
    return settleLanding(world, state, await completeLanding({ ...options, userEnv: world.env }));
  }
  const plan = await planLanding(request);
  if (plan.kind === 'already') return settleLanding(world, state, { kind: 'landed', commit: request.commit });
  if (plan.kind === 'update_ref' || plan.kind === 'fast_forward') {
    return settleLanding(world, state, await landOnTarget(plan, request, options));
  }
  return settleLanding(world, state, { kind: 'moved', actual: null });
}

type LandingEnd = Extract<CommandBody, { type: 'SettleLanding' }>['result'];

const blocked = (code: string, question: string, details: readonly string[]): LandingEnd => ({
  kind: 'blocked',
  code,
  question,
  details,
});

/** What a landing came to, as the item records it; undefined while somebody is still at work. */
function endOf(result: LandingResult): LandingEnd | undefined {
  switch (result.kind) {
    case 'landed':
      return { kind: 'landed' };
    case 'moved':
      return { kind: 'not_landed', code: 'target_moved', detail: result.actual ?? '' };
    case 'running':
    case 'interrupted':
      return undefined;
    case 'overlap':
      return blocked('overlap', 'Your own edits are in the way. Commit or stash them, then retry.', result.paths);
    case 'locked':
      return blocked('locked', 'Another git process is at work in your checkout. Retry when it has ended.', [
        result.lock,
      ]);
    case 'failed':
      return blocked('failed', 'Landing failed and changed nothing. What now?', [result.reason]);
  }
}

async function settleLanding(world: World, state: ItemState, landed: LandingResult): Promise<boolean> {
  const result = endOf(landed);
  if (state.landing.kind !== 'reserved' || result === undefined) return false;
  return send(world, state, { type: 'SettleLanding', epoch: state.landing.epoch, result });
}

/** The target moved: take it in, so that everything is verified again on top of it; never force (D32). */
async function sync(world: World, state: ItemState, repo: EngineRepository, targetHead: string): Promise<boolean> {
  const { head } = state.branch;
  const result = await syncWithTarget({
    engineGitDir: repo.gitDir,
    userGitDir: gitBaseOf(state).gitDir,
    itemId: state.id,
    itemBranchHead: head,
    targetHead,
    ...stamp(state.updatedAt),
  });
  if (result.kind === 'synced') {
    return send(world, state, { type: 'RecordSync', expectedHead: head, head: result.head, targetHead });
  }
  if (result.kind === 'moved') return false;
  const question = `${state.contract.delivery.branch} moved and conflicts with the result. Resolve it there, then retry.`;
  return block(world, state, 'landing_conflict', question, result.paths);
}
