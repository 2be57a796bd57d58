import type { CommandOf, Context, HoldRow } from '../command.ts';
import { grantSeconds, hasUnknownEffect, isRunnable, isSatisfied, isVerify } from '../derive/index.ts';
import { ACTION_LIMITS, type ActionState, type ItemState, type LiveRun, type Operation } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import {
  type Answer,
  byOwner,
  fencedAction,
  type Handlers,
  isAction,
  type Live,
  mustBeOpen,
  whyHalted,
} from './handler.ts';

/** Lease resource of an Action: its epoch only grows, whatever the generation (D8). */
export const leaseResource = (itemId: string, actionId: string): string => `run:${itemId}:${actionId}`;

/** What is held for a directory that nothing isolates: the top of a repository, so that nested ones share it (D29). */
export const holdDirectoryOf = ({ base, contract }: ItemState): string =>
  base.kind === 'git' ? base.topLevel : contract.directory;

/** Directory a Run has to hold when nothing isolates it; isolated items never exclude each other (D29). */
export const holdKeyOf = (state: ItemState, action: ActionState): string | undefined =>
  state.contract.workspace === 'in-place' && !isVerify(action) ? holdDirectoryOf(state) : undefined;

export const holdModeOf = ({ spec }: ActionState): HoldRow['mode'] => (spec.workspace === 'read' ? 'read' : 'write');

/** After two suspicions an Action runs alone (D12). */
const mustRunAlone = (action: ActionState): boolean => action.suspicions >= ACTION_LIMITS.suspicionsBeforeAlone;

/** Names the first gate of D1 that is shut. */
function whyNotRunnable(state: ItemState, action: ActionState): Rejection {
  const { id, status, spec } = action;
  if (status !== 'ready')
    return reject('not_runnable', `Action ${id} is ${status}.`, { expected: 'ready', found: status });
  const waitsFor = spec.dependsOn.filter((other) => !isSatisfied(state, other, action)).join(', ');
  if (waitsFor !== '') return reject('not_runnable', `Action ${id} waits for ${waitsFor}.`);
  if (grantSeconds(state, spec.timeoutSec) === undefined) {
    return reject('budget_exhausted', `Item ${state.id} has no wall-clock time left to reserve.`);
  }
  if (!hasUnknownEffect(state)) return reject('not_runnable', `Action ${id} waits for its turn.`);
  return reject('not_runnable', 'An external effect is unknown.', { next: 'Answer the open request about it.' });
}

/** Readers share, a writer excludes all, and a waiting writer stops new readers (D29). */
function whyHeld(state: ItemState, action: ActionState, { facts }: Context): Rejection | undefined {
  const key = holdKeyOf(state, action);
  if (key === undefined) return undefined;
  const writes = holdModeOf(action) === 'write';
  if (!writes && facts.holdWaiter !== undefined && facts.holdWaiter !== state.id) {
    return reject('workspace_busy', `A writer waits for ${key}.`, { found: `item ${facts.holdWaiter} is next` });
  }
  const blocking = facts.holds.filter((hold) => writes || hold.mode === 'write');
  if (blocking.length === 0) return undefined;
  const found = blocking.map((hold) => `${hold.mode} by item ${hold.itemId}`).join(', ');
  const place = writes ? { writes: [{ kind: 'hold_wait', key, itemId: state.id } as const] } : {};
  return reject('workspace_busy', `${key} is in use.`, { found, ...place });
}

/**
 * A Run needs a free slot when it starts, and again when it goes on after an approval. `isAlone`: it shares its process
 * with nobody; `ownerAlone`: somebody else there does not either (D12).
 */
export function whyNoSlot(
  actionId: string,
  isAlone: boolean,
  ownerAlone: boolean,
  ctx: Context,
): Rejection | undefined {
  const { facts, policy } = ctx;
  const { total, ofOwner } = facts.liveRuns;
  if (total >= policy.concurrency) {
    const expected = `fewer than ${policy.concurrency} Runs`;
    return reject('concurrency_full', 'All slots are taken.', { expected, found: `${total}` });
  }
  if (!ownerAlone && (!isAlone || ofOwner === 0)) return undefined;
  return reject('must_run_alone', `Action ${actionId} cannot share this process now.`);
}

const NOT_BEGUN = { base: null, dispatched: false, requests: 0, messagesHeard: 0, idle: false } as const;

/** Chapter 1 §6: exactly one claimer can win; a refusal leaves at most a place in a queue. */
function claim(state: ItemState, body: CommandOf<'Claim'>, ctx: Context): Answer {
  const shut = mustBeOpen(state) ?? whyHalted(state);
  if (shut) return shut;
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  const timeLimitSec = grantSeconds(state, action.spec.timeoutSec);
  if (!isRunnable(state, action) || timeLimitSec === undefined) return whyNotRunnable(state, action);
  const readyAt = Math.max(action.readyAt, state.parked?.until ?? 0);
  if (readyAt > ctx.now) return reject('not_runnable', `Action ${action.id} retries later.`);
  const { ownerAlone } = ctx.facts.liveRuns;
  const blocked = whyNoSlot(action.id, mustRunAlone(action), ownerAlone, ctx) ?? whyHeld(state, action, ctx);
  if (blocked) return blocked;
  const { id: actionId, generation, specHash } = action;
  const run: LiveRun = {
    id: body.runId,
    actionId,
    generation,
    specHash,
    timeLimitSec,
    owner: body.owner,
    epoch: action.leaseEpoch + 1,
    ordinal: action.runs + 1,
    startedSeq: state.version + 1,
    startedAt: ctx.now,
    alone: mustRunAlone(action),
    ...NOT_BEGUN,
  };
  return [{ type: 'RunClaimed', run }];
}

/** External effects are on the ledger before they can happen (OPS-1). */
function dispatch({ state, run, action }: Live, { base, enforcement, agent }: CommandOf<'Dispatch'>): Answer {
  const { id: runId } = run;
  if (run.dispatched) return reject('already_dispatched', `Run ${runId} was dispatched before.`);
  const halted = whyHalted(state);
  if (halted) return halted;
  const effect = { id: `op-${runId}`, actionId: action.id, runId, what: action.spec.name, effect: 'pending' } as const;
  const operation: Operation | undefined = action.spec.effects === 'external' ? effect : undefined;
  const extra = { ...(operation ? { operation } : {}), ...(agent ? { agent } : {}) };
  return [{ type: 'RunDispatched', runId, base, enforcement, ...extra }];
}

export const CLAIM_HANDLERS: Handlers<'Claim' | 'Dispatch'> = { Claim: claim, Dispatch: byOwner(dispatch) };
