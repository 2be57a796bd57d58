import type { Context, HoldRow } from '../command.ts';
import { grantSeconds, hasAttempts } from '../derive/budget.ts';
import { hasUnknownEffect, isRunnable } from '../derive/due.ts';
import { actionById, isSatisfied } from '../derive/graph.ts';
import type { ActionState, LiveRun } from '../model/action.ts';
import type { ItemState, Operation } from '../model/item.ts';
import type { Rejection } from '../rejection.ts';
import { reject } from '../rejection.ts';
import { mustRunAlone } from './end-run.ts';
import { fencedAction, fencedRun, type Handler, isAction, isRun, mustBeOpen } from './handler.ts';

/** Lease resource of an Action: its epoch only grows, whatever the generation (D8). */
export const leaseResource = (itemId: string, actionId: string): string => `run:${itemId}:${actionId}`;

/** Directory a Run has to hold when nothing isolates it; isolated items never exclude each other (D29). */
export const holdKeyOf = (state: ItemState, action: ActionState): string | undefined =>
  state.contract.workspace === 'in-place' && action.spec.executor.kind !== 'verify'
    ? state.contract.directory
    : undefined;

export const holdModeOf = (action: ActionState): HoldRow['mode'] =>
  action.spec.workspace === 'read' ? 'read' : 'write';

/** Names the first gate of D1 that is shut. */
function whyNotRunnable(state: ItemState, action: ActionState): Rejection {
  if (action.status !== 'ready') {
    return reject('not_runnable', `Action ${action.id} is ${action.status}.`, {
      expected: 'ready',
      found: action.status,
    });
  }
  const waitsFor = action.spec.dependsOn.filter((id) => !isSatisfied(state, id, action));
  if (waitsFor.length > 0) {
    return reject('not_runnable', `Action ${action.id} waits for ${waitsFor.join(', ')}.`);
  }
  if (!hasAttempts(state, action)) return reject('attempts_exhausted', `Action ${action.id} is out of attempts.`);
  if (hasUnknownEffect(state)) {
    return reject('not_runnable', 'An external effect is unknown.', { next: 'Answer the open request about it.' });
  }
  if (grantSeconds(state, action.spec.timeoutSec) === undefined) {
    return reject('budget_exhausted', `Item ${state.id} has no wall-clock time left to reserve.`);
  }
  return reject('not_runnable', `Action ${action.id} waits for its turn.`);
}

/** Readers share, a writer excludes all, and a waiting writer stops new readers (D29). */
function whyHeld(state: ItemState, action: ActionState, ctx: Context): Rejection | undefined {
  const key = holdKeyOf(state, action);
  if (key === undefined) return undefined;
  const { holds, holdWaiter } = ctx.facts;
  const wantsToWrite = holdModeOf(action) === 'write';
  if (!wantsToWrite && holdWaiter !== undefined && holdWaiter !== state.id) {
    return reject('workspace_busy', `A writer waits for ${key}.`, { found: `item ${holdWaiter} is next` });
  }
  const blocking = holds.filter((hold) => wantsToWrite || hold.mode === 'write');
  if (blocking.length === 0) return undefined;
  return reject('workspace_busy', `${key} is in use.`, {
    found: blocking.map((hold) => `${hold.mode} by item ${hold.itemId}`).join(', '),
    ...(wantsToWrite ? { writes: [{ kind: 'hold_wait', key, itemId: state.id }] } : {}),
  });
}

function whyNoSlot(action: ActionState, ctx: Context): Rejection | undefined {
  const { liveRuns } = ctx.facts;
  if (liveRuns.total >= ctx.policy.concurrency) {
    return reject('concurrency_full', 'All slots are taken.', {
      expected: `fewer than ${ctx.policy.concurrency} Runs`,
      found: String(liveRuns.total),
    });
  }
  if (liveRuns.ownerAlone || (mustRunAlone(action) && liveRuns.ofOwner > 0)) {
    return reject('must_run_alone', `Action ${action.id} cannot share this process now.`);
  }
  return undefined;
}

/** Chapter 1 §6: exactly one claimer can win; a refusal leaves at most a place in a queue. */
export const claim: Handler<'Claim'> = (state, body, ctx) => {
  const shut = mustBeOpen(state);
  if (shut) return shut;
  if (state.hold) return reject('item_held', `Item ${state.id} is held: ${state.hold.details}`);
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  const timeLimitSec = grantSeconds(state, action.spec.timeoutSec);
  if (!isRunnable(state, action) || timeLimitSec === undefined) return whyNotRunnable(state, action);
  if (action.readyAt > ctx.now) return reject('not_runnable', `Action ${action.id} retries later.`);
  const blocked = whyNoSlot(action, ctx) ?? whyHeld(state, action, ctx);
  if (blocked) return blocked;
  const run: LiveRun = {
    id: body.runId,
    actionId: action.id,
    generation: action.generation,
    specHash: action.specHash,
    epoch: action.leaseEpoch + 1,
    ordinal: action.runs + 1,
    owner: body.owner,
    startedSeq: state.version + 1,
    startedAt: ctx.now,
    timeLimitSec,
    alone: mustRunAlone(action),
    base: null,
    dispatched: false,
  };
  return [{ type: 'RunClaimed', run }];
};

/** External effects are on the ledger before they can happen (OPS-1). */
function operationOf(action: ActionState, runId: string): Operation | undefined {
  if (action.spec.effects !== 'external') return undefined;
  return { id: `op-${runId}`, actionId: action.id, runId, what: action.spec.name, effect: 'pending' };
}

export const dispatch: Handler<'Dispatch'> = (state, body) => {
  const run = fencedRun(state, body.fence.runId, body.fence.epoch, body.fence.owner);
  if (!isRun(run)) return run;
  if (run.dispatched) return reject('already_dispatched', `Run ${run.id} was dispatched before.`);
  if (state.hold) return reject('item_held', `Item ${state.id} is held: ${state.hold.details}`);
  const action = actionById(state, run.actionId);
  const operation = action ? operationOf(action, run.id) : undefined;
  return [
    {
      type: 'RunDispatched',
      runId: run.id,
      base: body.base,
      enforcement: body.enforcement,
      ...(operation ? { operation } : {}),
    },
  ];
};
