import type { ActionState, ItemState } from '../model/index.ts';
import { grantSeconds, hasAttempts } from './budget.ts';
import { decisionAt } from './decision.ts';
import { goalOf } from './goal.ts';
import { isConflicted, isMerged, isSatisfied, isVerify, mustMerge } from './graph.ts';

/**
 * What the engine owes an item right now: level-triggered, computed from state, so that no wake can be lost.
 * Each step is idempotent and may be taken by any process that gets its lease.
 */
export type Due =
  | { readonly kind: 'claim'; readonly actionId: string; readonly generation: number; readonly at: number }
  | { readonly kind: 'merge'; readonly actionId: string; readonly at: number }
  | { readonly kind: 'publish' | 'pull_request' | 'land' | 'decide'; readonly at: number };

/** Completed results that have not reached the item branch, oldest first. */
export const mergesDue = (state: ItemState): readonly ActionState[] =>
  state.actions
    .filter((action) => action.merge.kind !== 'merged' && mustMerge(state, action) && !isConflicted(state, action))
    .sort((a, b) => (a.result?.settledSeq ?? 0) - (b.result?.settledSeq ?? 0));

/** An external effect that may or may not have happened stops the whole item (D29, OPS-6). */
export const hasUnknownEffect = (state: ItemState): boolean =>
  state.operations.some((operation) => operation.effect === 'unknown');

/**
 * One clone serves all `shared` Actions of an isolated item; in place the hold decides across items. It is free
 * again once its last result is on the branch that the next holder starts from (D29).
 */
const sharedIsTaken = (state: ItemState, action: ActionState): boolean =>
  action.spec.workspace === 'shared' &&
  (state.actions.some((other) => other.status === 'running' && other.spec.workspace === 'shared') ||
    mergesDue(state).some((other) => other.spec.workspace === 'shared'));

/** Verification waits until nothing else moves; a commissioned one that the branch outran never runs. */
function verifyMayRun(state: ItemState, action: ActionState): boolean {
  if (action.spec.executor.kind !== 'verify') return true;
  const quiet = state.actions.every((other) => other.id === action.id || other.status !== 'running');
  return quiet && mergesDue(state).length === 0 && action.spec.executor.writeSeq === state.branch.writeSeq;
}

/** What a person has still to confirm about its criteria, or about the whole goal, keeps an Action waiting (D19). */
const isUnderProposal = (state: ItemState, { spec }: ActionState): boolean =>
  state.requests.some(
    ({ subject }) =>
      subject.kind === 'contract_proposal' &&
      subject.proposal.changed.some((part) => part === 'goal' || spec.for.some((id) => part === `criterion:${id}`)),
  );

/**
 * The one scheduling rule (D1), as far as the item alone can tell; holds and concurrency are the door's facts. No open
 * request is about a `ready` Action: questions are put about those that cannot move by themselves.
 */
export function isRunnable(state: ItemState, action: ActionState): boolean {
  return (
    action.status === 'ready' &&
    state.lifecycle === 'open' &&
    state.hold === undefined &&
    action.spec.dependsOn.every((id) => isSatisfied(state, id, action)) &&
    hasAttempts(state, action) &&
    grantSeconds(state, action.spec.timeoutSec) !== undefined &&
    !hasUnknownEffect(state) &&
    !isUnderProposal(state, action) &&
    !sharedIsTaken(state, action) &&
    verifyMayRun(state, action)
  );
}

/** Ended well, or stepped over. A superseded Action of a plan still waits for a person's word (D6). */
function isDealtWith(state: ItemState, action: ActionState): boolean {
  if (isVerify(action) || action.status === 'closed' || action.status === 'cancelled') return true;
  if (action.status === 'superseded') return state.plan.kind === 'coordinated';
  return action.status === 'completed' && isMerged(state, action);
}

/** Everything the plan asked for is dealt with, running or not. */
export const isWorkDone = (state: ItemState): boolean => state.actions.every((action) => isDealtWith(state, action));

/** The same, and nothing is live or uncertain. */
export const isSettled = (state: ItemState): boolean =>
  state.runs.length === 0 && !hasUnknownEffect(state) && isWorkDone(state);

const isGit = (state: ItemState): boolean => state.base.kind === 'git' && state.contract.workspace === 'isolated';

/** Whether the result has to be published as a branch in the user's repository (D25, D32). */
export const needsPublish = (state: ItemState): boolean =>
  isGit(state) && state.contract.delivery.target !== 'response' && state.published?.commit !== state.branch.head;

export function needsLanding(state: ItemState): boolean {
  const { landing, branch, contract } = state;
  if (!isGit(state) || contract.delivery.target !== 'merge') return false;
  return landing.kind !== 'landed' || landing.commit !== branch.head || landing.branch !== contract.delivery.branch;
}

/** Proven and quiet; a verification that is still to come may yet say otherwise. */
export const isProven = (state: ItemState): boolean =>
  isSettled(state) && goalOf(state).allProven && !state.actions.some(({ status }) => status === 'ready');

/** Whether a pull request at exactly the result has still to be opened (D25). */
export const needsPullRequest = ({ contract, pull, branch }: ItemState): boolean =>
  contract.delivery.target === 'pull_request' && pull?.commit !== branch.head;

/** A Coordinator says itself when it is done (D18); what a person said since has to be heard first. */
const isDecided = ({ plan, completion, inbox }: ItemState): boolean =>
  plan.kind !== 'coordinated' || (completion !== undefined && inbox.length === 0);

/** Proven, quiet and unblocked: delivery may begin. */
export const isDeliverable = (state: ItemState): boolean =>
  state.lifecycle === 'open' &&
  state.hold === undefined &&
  state.requests.length === 0 &&
  isDecided(state) &&
  isProven(state);

function deliveryDue(state: ItemState): readonly Due[] {
  if (!isDeliverable(state)) return [];
  if (needsPublish(state)) return [{ kind: 'publish', at: 0 }];
  if (needsPullRequest(state)) return [{ kind: 'pull_request', at: 0 }];
  return needsLanding(state) ? [{ kind: 'land', at: 0 }] : [];
}

/** Everything but decisions. */
function workDue(state: ItemState): readonly Due[] {
  const merges = mergesDue(state).map(({ id }): Due => ({ kind: 'merge', actionId: id, at: 0 }));
  const runnable = state.actions.filter((action) => isRunnable(state, action));
  const claims = runnable.map(
    ({ id: actionId, generation, readyAt: at }): Due => ({ kind: 'claim', actionId, generation, at }),
  );
  return [...merges, ...claims, ...deliveryDue(state)];
}

/**
 * All steps that are due, in the order in which they should be tried. `at` may lie ahead: a retry's back-off. A
 * reserved landing is carried to its end whatever else has been said meanwhile.
 */
export function dueOf(state: ItemState): readonly Due[] {
  if (state.landing.kind === 'reserved') return [{ kind: 'land', at: 0 }];
  if (state.lifecycle !== 'open' || state.hold) return [];
  const work = workDue(state);
  const decideAt = decisionAt(state, work.length === 0 && state.runs.length === 0);
  const due: readonly Due[] = decideAt === undefined ? work : [...work, { kind: 'decide', at: decideAt }];
  const until = state.parked?.until ?? 0;
  return due.map((step) => (step.at < until && PARKED.has(step.kind) ? { ...step, at: until } : step));
}

/** What costs money waits while an item is parked; merging and delivering go on. */
const PARKED: ReadonlySet<Due['kind']> = new Set<Due['kind']>(['claim', 'decide']);

/** When the next decision is owed; undefined when none is. */
export const decisionDueAt = (state: ItemState): number | undefined =>
  dueOf(state).find(({ kind }) => kind === 'decide')?.at;

/** Earliest instant at which the engine owes something; null when it owes nothing. */
export function dueAt(state: ItemState): number | null {
  const due = dueOf(state);
  return due.length === 0 ? null : Math.min(...due.map((step) => step.at));
}
