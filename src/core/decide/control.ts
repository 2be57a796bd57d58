import type { Context } from '../command.ts';
import { wallClock } from '../derive/budget.ts';
import { isVerify } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import { isUnfinished } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { reject } from '../rejection.ts';
import { isWholeWithin, LIMIT_MAX } from '../rules/contract-rules.ts';
import { endRun } from './end-run.ts';
import { type Answer, type Handler, landingInProgress, mustBeOpen } from './handler.ts';
import { resetAction } from './reset.ts';
import { hasChecks } from './verify-spec.ts';

export const startItem: Handler<'StartItem'> = (state) =>
  state.lifecycle === 'draft'
    ? [{ type: 'ItemStarted' }]
    : reject('wrong_state', `Item ${state.id} was started before.`, { expected: 'draft', found: state.lifecycle });

/** All live Runs end and all unfinished Actions are cancelled, atomically (rule 23). */
function cancelAll(state: ItemState, ctx: Context): readonly EventBody[] {
  const running = state.runs.map((run) =>
    endRun(state, run, { status: 'cancelled', code: 'stopped', actionStatus: 'cancelled' }, ctx),
  );
  const idle = state.actions
    .filter((action) => isUnfinished(action.status) && action.status !== 'running')
    .map((action): EventBody => ({ type: 'ActionRetired', actionId: action.id, as: 'cancelled' }));
  return [...running, ...idle];
}

/** A stop converges (D13): admission closes at once; `react` ends the item when nothing is live any more. */
export const stopItem: Handler<'StopItem'> = (state, body, ctx) => {
  if (state.lifecycle === 'done' || state.lifecycle === 'cancelled') {
    return reject('item_ended', `Item ${state.id} is ${state.lifecycle}.`, { found: state.lifecycle });
  }
  if (state.lifecycle === 'cancelling') return reject('nothing_changed', `Item ${state.id} is being stopped already.`);
  return [{ type: 'StopRequested', reason: body.reason }, ...cancelAll(state, ctx)];
};

/** Only for `cancelled` (D13). Completed Actions keep their proof; cancelled ones return at the next generation. */
export const reopenItem: Handler<'ReopenItem'> = (state) => {
  if (state.lifecycle !== 'cancelled') {
    return reject('wrong_state', `Item ${state.id} is ${state.lifecycle}.`, {
      expected: 'cancelled',
      found: state.lifecycle,
      next: state.lifecycle === 'done' ? 'Submit a follow-up as a new item.' : 'Nothing to reopen.',
    });
  }
  const started: readonly EventBody[] = state.startedAt === undefined ? [{ type: 'ItemStarted' }] : [];
  const cancelled = state.actions.filter((action) => action.status === 'cancelled');
  const back = cancelled.map(
    (action): EventBody =>
      isVerify(action) || state.plan.kind === 'coordinated'
        ? { type: 'ActionRetired', actionId: action.id, as: 'superseded' }
        : resetAction(state, action, 'reopen'),
  );
  return [{ type: 'ItemReopened' }, ...started, ...back];
};

export const holdItem: Handler<'HoldItem'> = (state, body, ctx) => {
  if (state.lifecycle === 'done' || state.lifecycle === 'cancelled') {
    return reject('item_ended', `Item ${state.id} is ${state.lifecycle}.`);
  }
  if (state.hold) return reject('nothing_changed', `Item ${state.id} is held already: ${state.hold.details}`);
  return [{ type: 'ItemHeld', hold: { code: body.code, at: ctx.now, details: body.details } }];
};

const staleControl = (state: ItemState, version: number) =>
  version === state.controlVersion
    ? undefined
    : reject('control_version_stale', 'Hold or budget changed since you read it.', {
        expected: `control version ${version}`,
        found: String(state.controlVersion),
        next: 'Read the item again.',
      });

/** Clears the hold and nothing else (D28); refused while the reason still holds. */
export const resumeItem: Handler<'ResumeItem'> = (state, body) => {
  const stale = staleControl(state, body.controlVersion);
  if (stale) return stale;
  if (!state.hold) return reject('wrong_state', `Item ${state.id} is not held.`, { expected: 'a hold', found: 'none' });
  const { exhausted, limitSec, usedSec } = wallClock(state);
  if (exhausted) {
    return reject('budget_exhausted', 'The wall-clock budget is used up.', {
      expected: `less than ${limitSec} s used`,
      found: `${Math.round(usedSec)} s`,
      next: `workcenter extend ${state.id} --wall-clock 1h`,
    });
  }
  return [{ type: 'ItemResumed' }];
};

const isGrowth = (value: number | undefined): boolean => value === undefined || isWholeWithin(value, 1, LIMIT_MAX);

/** Adds to limits; does not resume (D28). */
export const extendBudget: Handler<'ExtendBudget'> = (state, body) => {
  const stale = staleControl(state, body.controlVersion);
  if (stale) return stale;
  const { wallClockSec, attempts } = body;
  if ((wallClockSec === undefined && attempts === undefined) || !isGrowth(wallClockSec) || !isGrowth(attempts)) {
    return reject('invalid_field', 'An extension adds whole positive numbers.', {
      expected: 'wallClockSec or attempts above 0',
      found: `wallClockSec ${wallClockSec ?? 'none'}, attempts ${attempts ?? 'none'}`,
    });
  }
  if (state.lifecycle === 'done') return reject('item_ended', `Item ${state.id} is done.`);
  const { limits } = state;
  if (attempts === undefined && limits.wallClockSec === null) {
    return reject('nothing_changed', `Item ${state.id} has no wall-clock limit.`);
  }
  const more = attempts ?? 0;
  return [
    {
      type: 'BudgetExtended',
      limits: {
        wallClockSec:
          wallClockSec === undefined || limits.wallClockSec === null
            ? limits.wallClockSec
            : limits.wallClockSec + wallClockSec,
        attempts: limits.attempts + more,
        attemptsExtension: limits.attemptsExtension + more,
      },
    },
  ];
};

/** Verifies the head again although a verdict exists: a flaky check, a repaired machine. */
export const askVerification = (state: ItemState): Answer => {
  const shut = mustBeOpen(state) ?? landingInProgress(state);
  if (shut) return shut;
  return hasChecks(state)
    ? [{ type: 'VerificationAsked' }]
    : reject('wrong_state', `No criterion of ${state.id} has a check.`, { next: 'Add a check to a criterion.' });
};
