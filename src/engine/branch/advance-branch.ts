import { rm } from 'node:fs/promises';
import type { CommandBody, Due, ItemState } from '../../core/index.ts';
import { dueOf } from '../../core/index.ts';
import { isStoreError } from '../../store/store-error.ts';
import { itemHead, mergeIntoItem, moveItemBranch } from '../../workspace/engine-repository/item-branch.ts';
import { isAncestor } from '../../workspace/git/history.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { completeLanding, type LandingResult, type LandOptions, landOnTarget } from '../../workspace/landing/land.ts';
import { landingStatus } from '../../workspace/landing/landing-state.ts';
import { type LandingPlan, type LandingRequest, planLanding } from '../../workspace/landing/plan-landing.ts';
import { type PublishRequest, type PublishResult, publishBranch } from '../../workspace/landing/publish.ts';
import { syncWithTarget } from '../../workspace/landing/sync.ts';
import { transplant } from '../../workspace/landing/transplant.ts';
import { type GitBase, repositoryOf, stamp } from '../repository.ts';
import { inSpan } from '../telemetry.ts';
import { issue, itemBranchName, type World, wasRefused } from '../world.ts';

/** A step of the item branch or its delivery: everything that is due besides Runs. */
type BranchStep = Exclude<Due, { kind: 'claim' }>;

const MAX_STEPS = 200;
const DETAIL_CHARS = 1_000;
/** Short, because each step is: a process that died in one is relieved soon. */
const BRANCH_LEASE_MS = 10_000;

/**
 * Carries an item's merges, publishing and landing as far as they go, under a lease on its branch: any process may
 * do it, one at a time. Every step finds its own earlier effect after a crash (D32).
 */
export async function advanceBranch(world: World, itemId: string, signal: AbortSignal): Promise<void> {
  await underLease(world, `branch:${itemId}`, async () => {
    for (let steps = 0; steps < MAX_STEPS && !signal.aborted; steps += 1) {
      const state = await world.store.load(itemId);
      const step = state && nextStep(state);
      if (
        !state ||
        !step ||
        !(await inSpan(`workcenter.${step.kind}`, { 'workcenter.item': itemId }, () =>
          take(world, state, step, signal),
        ))
      )
        return true;
    }
    return true;
  });
}

/** Does the work while it holds the resource, renewing; false, without doing it, when somebody else holds it. */
async function underLease(world: World, resource: string, work: () => Promise<boolean>): Promise<boolean> {
  const { store, worker } = world;
  const leaseMs = Math.min(world.settings.leaseMs, BRANCH_LEASE_MS);
  const epoch = await store.acquireLease(resource, worker.owner, leaseMs);
  if (epoch === undefined) return false;
  const renewal = setInterval(() => {
    store.renewLease(resource, worker.owner, epoch, leaseMs).catch(() => undefined);
  }, leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await store.releaseLease(resource, worker.owner, epoch);
  }
}

export const nextStep = (state: ItemState): BranchStep | undefined =>
  dueOf(state).find((step): step is BranchStep => step.kind !== 'claim');

/** Takes one step; false when it changed nothing, so that a refusal cannot become a loop. */
async function take(world: World, state: ItemState, step: BranchStep, signal: AbortSignal): Promise<boolean> {
  if (step.kind === 'merge') return mergeResult(world, state, await repositoryOf(world, state), step.actionId);
  try {
    const repo = await repositoryOf(world, state);
    return step.kind === 'publish' ? await publish(world, state, repo) : await land(world, state, repo, signal);
  } catch (error) {
    // What git cannot do now it will hardly do at the next tick; a person sees why. A landing that is reserved goes on.
    if (isStoreError(error) || state.landing.kind === 'reserved') throw error;
    const code = step.kind === 'publish' ? 'publish_failed' : 'landing_failed';
    const question = `The result could not be delivered to ${(state.base as GitBase).topLevel}. Mend it, then retry.`;
    const reason = error instanceof Error ? error.message : String(error);
    return send(world, state, block(code, question, [reason.slice(0, DETAIL_CHARS)]));
  }
}

async function send(world: World, state: ItemState, body: CommandBody): Promise<boolean> {
  const result = await issue(world, state.id, body);
  if (wasRefused(result)) world.log('step refused', { item: state.id, command: body.type, code: result.code });
  return !wasRefused(result);
}

async function mergeResult(world: World, state: ItemState, repo: EngineRepository, actionId: string): Promise<boolean> {
  const action = state.actions.find((candidate) => candidate.id === actionId);
  const commit = action?.result?.commit;
  const { head: expectedHead } = state.branch;
  if (!action || commit === undefined) return false;
  const address = { type: 'RecordMerge', actionId, generation: action.generation, expectedHead } as const;
  const message = `Merge ${action.id}: ${action.spec.name}`;
  const merged = await mergeIntoItem(repo, { commit, message, ...stamp(state.updatedAt) });
  switch (merged.kind) {
    case 'merged':
    case 'already':
      return send(world, state, { ...address, result: { kind: 'merged', head: merged.head } });
    case 'conflict': {
      const { paths, ours, theirs } = merged;
      return send(world, state, { ...address, result: { kind: 'conflict', paths, ours, theirs } });
    }
    case 'moved':
      return false;
  }
}

const block = (code: string, question: string, details: readonly string[] = []): CommandBody => ({
  type: 'BlockDelivery',
  code,
  question,
  details,
});

/**
 * A result made on a snapshot of the user's uncommitted work leaves that work out before it is delivered, and is
 * verified again (D30). Undefined when there is nothing to take out.
 */
async function leaveSnapshotOut(world: World, state: ItemState, repo: EngineRepository): Promise<boolean | undefined> {
  const base = state.base as GitBase;
  const { head } = state.branch;
  if (base.commit === base.cleanCommit || !(await isAncestor(repo, base.commit, head))) return undefined;
  const request = { engineGitDir: repo.gitDir, commit: head, snapshot: base.commit, onto: base.cleanCommit };
  const moved = await transplant({ ...request, ...stamp(state.updatedAt) });
  if (moved.kind === 'conflict') {
    const question = 'The result builds on your uncommitted edits. Commit them, then retry.';
    return send(world, state, block('needs_your_edits', question, moved.paths));
  }
  if (!(await moveItemBranch(repo, { from: await itemHead(repo), to: moved.head }))) return false;
  return send(world, state, { type: 'RecordSync', expectedHead: head, head: moved.head, targetHead: base.cleanCommit });
}

/** What we published ourselves may be replaced, by a rebased result for instance; anything else only be added to. */
async function putOnBranch(request: PublishRequest, { published }: ItemState): Promise<PublishResult> {
  if (published?.ref !== request.branch) return publishBranch(request);
  const replaced = await publishBranch({ ...request, expectedOld: published.commit });
  return replaced.kind === 'moved' ? publishBranch(request) : replaced;
}

async function publish(world: World, state: ItemState, repo: EngineRepository): Promise<boolean> {
  const base = state.base as GitBase;
  const without = await leaveSnapshotOut(world, state, repo);
  if (without !== undefined) return without;
  const branch = itemBranchName(state);
  const commit = state.branch.head;
  const result = await putOnBranch({ engineGitDir: repo.gitDir, userGitDir: base.gitDir, commit, branch }, state);
  switch (result.kind) {
    case 'published':
    case 'already':
      return send(world, state, { type: 'RecordPublish', ref: branch, commit });
    case 'checked_out':
      return send(
        world,
        state,
        block('publish_checked_out', `${branch} is checked out in ${result.where}. Switch away, then retry.`),
      );
    case 'moved':
      return send(
        world,
        state,
        block('publish_moved', `${branch} holds commits that are not ours. Move it away, then retry.`, [
          result.actual ?? 'no commit',
        ]),
      );
    case 'refused':
      return send(
        world,
        state,
        block('publish_refused', `${branch} could not be published. What now?`, [result.reason]),
      );
  }
}

const landingRequest = (world: World, state: ItemState, repo: EngineRepository): LandingRequest => ({
  engineGitDir: repo.gitDir,
  userGitDir: (state.base as GitBase).gitDir,
  branch: state.contract.delivery.branch ?? '',
  commit: state.landing.kind === 'reserved' ? state.landing.commit : state.branch.head,
  userEnv: world.env,
});

/** Under a lease on the target ref: two items that land on one branch take turns (D32). */
function land(world: World, state: ItemState, repo: EngineRepository, signal: AbortSignal): Promise<boolean> {
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
      return send(world, state, block('landing_overlap', question, plan.paths));
    }
    case 'missing_branch':
      return send(
        world,
        state,
        block('landing_missing_branch', `There is no branch ${request.branch}. Create it, then retry.`),
      );
    case 'unavailable':
      return send(
        world,
        state,
        block('landing_unavailable', `${request.branch} cannot be moved now: ${plan.reason}`, [plan.worktree]),
      );
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

async function settleLanding(world: World, state: ItemState, result: LandingResult): Promise<boolean> {
  if (state.landing.kind !== 'reserved') return false;
  const address = { type: 'SettleLanding', epoch: state.landing.epoch } as const;
  switch (result.kind) {
    case 'landed':
      return send(world, state, { ...address, result: { kind: 'landed' } });
    case 'moved':
      return send(world, state, {
        ...address,
        result: { kind: 'not_landed', code: 'target_moved', detail: result.actual ?? '' },
      });
    case 'running':
    case 'interrupted':
      return false;
    case 'overlap': {
      const question = 'Your own edits are in the way. Commit or stash them, then retry.';
      return send(world, state, {
        ...address,
        result: { kind: 'blocked', code: 'overlap', question, details: result.paths },
      });
    }
    case 'locked': {
      const question = 'Another git process is at work in your checkout. Retry when it has ended.';
      return send(world, state, {
        ...address,
        result: { kind: 'blocked', code: 'locked', question, details: [result.lock] },
      });
    }
    case 'failed': {
      const question = 'Landing failed and changed nothing. What now?';
      return send(world, state, {
        ...address,
        result: { kind: 'blocked', code: 'failed', question, details: [result.reason] },
      });
    }
  }
}

/** The target moved: take it in, so that everything is verified again on top of it; never force (D32). */
async function sync(world: World, state: ItemState, repo: EngineRepository, targetHead: string): Promise<boolean> {
  const { head } = state.branch;
  const result = await syncWithTarget({
    engineGitDir: repo.gitDir,
    userGitDir: (state.base as GitBase).gitDir,
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
  return send(world, state, block('landing_conflict', question, result.paths));
}
