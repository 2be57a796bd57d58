import type { Context } from '../command.ts';
import { spentRoom, wallClock } from '../derive/budget.ts';
import { decisionAt } from '../derive/decision.ts';
import {
  isDeliverable,
  isProven,
  isSettled,
  isWorkDone,
  needsLanding,
  needsPublish,
  needsPullRequest,
} from '../derive/due.ts';
import { goalOf } from '../derive/goal.ts';
import { finalResult } from '../derive/result.ts';
import type { EventBody } from '../event.ts';
import { canonical, specHash } from '../identity.ts';
import type { ActionState, ItemState, RequestSubject } from '../model/index.ts';
import { lostWith, spent } from './calls.ts';
import { openRequest } from './handler.ts';
import { questionsOf, stands } from './questions.ts';
import { hasChecks, verifySpec } from './verify-spec.ts';

/** A rule answers the next event it wants, or nothing. Each event is folded before the rules are asked again. */
type Rule = (state: ItemState, ctx: Context) => EventBody | undefined;

const finishStop: Rule = ({ lifecycle, runs, landing }) =>
  lifecycle === 'cancelling' && runs.length === 0 && landing.kind !== 'reserved'
    ? { type: 'ItemCancelled' }
    : undefined;

const isSame = (a: RequestSubject, b: RequestSubject): boolean => canonical(a) === canonical(b);

/** Requests about things that are no longer so would block for nothing. */
const withdrawMoot: Rule = (state) => {
  if (state.requests.length === 0) return undefined;
  const asked = questionsOf(state);
  const moot = state.requests.find(
    (request) => !stands(state, request) && !asked.some(({ subject }) => isSame(subject, request.subject)),
  );
  const reason = state.lifecycle === 'open' ? 'no longer so' : 'the item ended';
  return moot && { type: 'RequestWithdrawn', requestId: moot.id, reason };
};

/**
 * Whether somebody is about to make a model request. Who is at it already may have got the answer that ends it; if not,
 * the next request finds the budget used up (`PrepareCall`).
 */
const wantsCalls = (state: ItemState): boolean =>
  state.actions.some(({ status, spec }) => spec.executor.kind === 'agent' && status === 'ready') ||
  (!state.coordinator.turn && decisionAt(state, state.runs.length === 0) !== undefined);

/** A hold comes only when settled use leaves no room for work that wants to run (D26). */
const holdWhenSpent: Rule = (state, ctx) => {
  if (state.lifecycle !== 'open' || state.hold) return undefined;
  if (wallClock(state).exhausted && state.actions.some(({ status }) => status === 'ready')) {
    const details = `The wall-clock budget of ${state.limits.wallClockSec} s is used up.`;
    return { type: 'ItemHeld', hold: { code: 'wall_clock_exhausted', at: ctx.now, details } };
  }
  const room = spentRoom(state);
  return room && wantsCalls(state) ? spent(room, ctx.now) : undefined;
};

/** A turn of an item that is held or over is no longer wanted (D28): what it sent is charged, what it says is dropped. */
const retireTurn: Rule = (state) => {
  const { lifecycle, hold, coordinator } = state;
  if (!coordinator.turn || (lifecycle === 'open' && !hold)) return undefined;
  const { id: turnId } = coordinator.turn;
  const [lost] = lostWith(state, turnId);
  return lost ?? { type: 'TurnRetired', turnId, reason: hold ? `held: ${hold.code}` : lifecycle };
};

/** Words, facts or writes that came after the decision to complete have to be decided upon first. */
const voidCompletion: Rule = (state) => {
  const { completion, lifecycle, inbox, coordinator, actions } = state;
  if (!completion || lifecycle !== 'open' || state.landing.kind === 'reserved') return undefined;
  const isOutdated = inbox.length > 0 || coordinator.factSeq > completion.seq;
  const isUnproven = !isProven(state) && isSettled(state) && actions.every(({ status }) => status !== 'ready');
  if (!isOutdated && !isUnproven) return undefined;
  return { type: 'CompletionVoided', reason: isOutdated ? 'something new came up' : 'a proof is missing again' };
};

/**
 * A verification that the branch outran would judge a tree that is no longer the result; one beside new work would
 * be outrun; a failed one is spent when a person asks again.
 */
const retireOutrun: Rule = (state) => {
  if (state.lifecycle !== 'open') return undefined;
  const outrun = state.actions.find(({ status, spec, lastRun }) => {
    if (spec.executor.kind !== 'verify' || (status !== 'ready' && status !== 'failed')) return false;
    if (spec.executor.writeSeq !== state.branch.writeSeq) return true;
    return status === 'ready' ? !isWorkDone(state) : state.verifyAskedSeq > (lastRun?.endedSeq ?? 0);
  });
  return outrun && { type: 'ActionRetired', actionId: outrun.id, as: 'superseded' };
};

/** A verdict settles the question only for this tree, for the checks as they read now, until a person asks again. */
function hasVerdict(state: ItemState, { spec, status, lastRun }: ActionState): boolean {
  if (spec.executor.kind !== 'verify' || spec.executor.writeSeq !== state.branch.writeSeq) return false;
  if (status === 'ready' || status === 'running') return true;
  if ((lastRun?.endedSeq ?? 0) < state.verifyAskedSeq) return false;
  const unjudged = goalOf(state).criteria.some((goal) => goal.criterion.check && goal.standing === 'unmet');
  return status === 'failed' || (status === 'completed' && !unjudged);
}

/** A Coordinator has had something done: before that a check would only say what its own base run says anyway. */
const hasBegun = ({ plan, actions }: ItemState): boolean =>
  plan.kind !== 'coordinated' || actions.some(({ status, spec }) => status === 'completed' && spec.type !== 'verify');

/** Everything ran and is merged, and a check has not judged this tree: commission it (D32). */
const commissionVerify: Rule = (state, ctx) => {
  if (state.lifecycle !== 'open' || !isSettled(state) || !hasChecks(state) || !hasBegun(state)) return undefined;
  const open = goalOf(state).criteria.some((goal) => goal.criterion.check && goal.standing !== 'passed');
  const asked = state.verifyAskedSeq > state.branch.writeSeq;
  if ((!open && !asked) || state.actions.some((action) => hasVerdict(state, action))) return undefined;
  const spec = verifySpec(state);
  const id = `verify-${state.verifyCount + 1}`;
  return { type: 'ActionAdded', action: { id, spec, specHash: specHash(spec, ctx.hash) } };
};

/** Every stuck state is handed to the decider (D2); without a Coordinator that is a person. */
const askPerson: Rule = (state, ctx) => {
  const open = questionsOf(state).find(
    ({ subject }) => !state.requests.some((known) => isSame(known.subject, subject)),
  );
  return open && openRequest(state, open, ctx.now);
};

/** Delivered, proven, quiet: done. The result is written by the same event and never changes after. */
const complete: Rule = (state) => {
  if (state.landing.kind === 'reserved' || !isDeliverable(state)) return undefined;
  if (needsPublish(state) || needsPullRequest(state) || needsLanding(state)) return undefined;
  const result = finalResult(state);
  return result && { type: 'ItemCompleted', result };
};

/** In this order: what ends, what is moot, what is owed, whom to ask, whether it is done. */
const RULES = [
  ...[finishStop, retireTurn, withdrawMoot, holdWhenSpent, retireOutrun, voidCompletion],
  ...[commissionVerify, askPerson, complete],
];

/** The next consequence that state alone demands; `decide` folds it and asks again until there is none. */
export function react(state: ItemState, ctx: Context): EventBody | undefined {
  for (const rule of RULES) {
    const event = rule(state, ctx);
    if (event) return event;
  }
  return undefined;
}
