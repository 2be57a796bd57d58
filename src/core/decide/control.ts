import type { CommandOf, Context } from '../command.ts';
import { isVerify, sayAmount, spentRoom, wallClock } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { type ItemState, isUnfinished } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { isWholeWithin, LIMIT_MAX } from '../rules/contract-rules.ts';
import { endRunOf } from './end-run.ts';
import { type Answer, type Handlers, landingInProgress, mustBeOpen } from './handler.ts';
import { resetAction } from './reset.ts';
import { hasChecks } from './verify-spec.ts';

const hasEnded = ({ lifecycle }: ItemState): boolean => lifecycle === 'done' || lifecycle === 'cancelled';
const ended = ({ id, lifecycle }: ItemState): Rejection => reject('item_ended', `Item ${id} is ${lifecycle}.`);

const STOPPED = { status: 'cancelled', code: 'stopped', actionStatus: 'cancelled' } as const;

/**
 * A stop converges (D13): admission closes at once, all live Runs and unfinished Actions end with it (rule 23), and
 * `react` ends the item when nothing is reserved any more.
 */
export function stopItem(state: ItemState, reason: string, ctx: Context): Answer {
  if (hasEnded(state)) return ended(state);
  if (state.lifecycle === 'cancelling') return reject('nothing_changed', `Item ${state.id} is being stopped already.`);
  const unfinished = state.actions.filter(({ status }) => isUnfinished(status));
  const cancelled = unfinished.flatMap((action): readonly EventBody[] => {
    const run = endRunOf(state, action, STOPPED, ctx);
    return run.length > 0 ? run : [{ type: 'ActionRetired', actionId: action.id, as: 'cancelled' }];
  });
  return [{ type: 'StopRequested', reason }, ...cancelled];
}

/** Verifies the head again although a verdict exists: a flaky check, a repaired machine. */
export function askVerification(state: ItemState): Answer {
  const shut = mustBeOpen(state) ?? landingInProgress(state);
  if (shut) return shut;
  if (hasChecks(state)) return [{ type: 'VerificationAsked' }];
  return reject('wrong_state', `No criterion of ${state.id} has a check.`, { next: 'Add a check to a criterion.' });
}

function staleControl({ controlVersion }: ItemState, read: number): Rejection | undefined {
  if (read === controlVersion) return undefined;
  const more = { expected: `control version ${read}`, found: `${controlVersion}`, next: 'Read the item again.' };
  return reject('control_version_stale', 'Hold or budget changed since you read it.', more);
}

const EXTENDABLE = ['wallClockSec', 'attempts', 'requests', 'tokens', 'runRequests', 'costMicros'] as const;
type Extendable = (typeof EXTENDABLE)[number];

/** Adds to limits; does not resume (D28). Attempts are added to every Action's own bound too. */
function extendBudget(state: ItemState, body: CommandOf<'ExtendBudget'>): Answer {
  const stale = staleControl(state, body.controlVersion);
  if (stale) return stale;
  const wanted = EXTENDABLE.filter((name) => body[name] !== undefined);
  const isWhole = (name: Extendable): boolean => isWholeWithin(body[name] ?? 0, 1, LIMIT_MAX * 1_000);
  if (wanted.length === 0 || !wanted.every(isWhole)) {
    const expected = `${EXTENDABLE.join(', ')}: 1..${LIMIT_MAX}`;
    return reject('invalid_field', 'An extension adds whole positive numbers.', { expected });
  }
  if (state.lifecycle === 'done') return ended(state);
  const old = state.limits;
  const isBounded = (name: Extendable): boolean => old[name] !== null;
  if (!wanted.some(isBounded)) return reject('nothing_changed', `Item ${state.id} has no limit of ${wanted.join()}.`);
  const added = wanted.filter(isBounded).map((name) => [name, (old[name] ?? 0) + (body[name] ?? 0)] as const);
  const attemptsExtension = old.attemptsExtension + (body.attempts ?? 0);
  return [{ type: 'BudgetExtended', limits: { ...old, ...Object.fromEntries(added), attemptsExtension } }];
}

/** Only for `cancelled` (D13). Completed Actions keep their proof; a plan's cancelled ones return to `ready`. */
function reopenItem(state: ItemState): Answer {
  const { id, lifecycle, plan, startedAt } = state;
  if (lifecycle !== 'cancelled') {
    const next = lifecycle === 'done' ? 'Submit a follow-up as a new item.' : 'Nothing to reopen.';
    return reject('wrong_state', `Item ${id} is ${lifecycle}.`, { expected: 'cancelled', found: lifecycle, next });
  }
  const back = state.actions
    .filter(({ status }) => status === 'cancelled')
    .map((action): EventBody => {
      if (!isVerify(action) && plan.kind !== 'coordinated') return resetAction(state, action, 'reopen');
      return { type: 'ActionRetired', actionId: action.id, as: 'superseded' };
    });
  return [{ type: 'ItemReopened' }, ...(startedAt === undefined ? [{ type: 'ItemStarted' } as const] : []), ...back];
}

/** What a person may do to the whole item. */
export const CONTROL_HANDLERS: Handlers<'StopItem' | 'ReopenItem' | 'ResumeItem' | 'ExtendBudget' | 'AskVerification'> =
  {
    StopItem: (state, { reason }, ctx) => stopItem(state, reason, ctx),
    ReopenItem: reopenItem,
    AskVerification: askVerification,
    ExtendBudget: extendBudget,
    /** Clears the hold and nothing else (D28); refused while the reason still holds. */
    ResumeItem(state, { controlVersion }) {
      const stale = staleControl(state, controlVersion);
      if (stale) return stale;
      if (!state.hold) return reject('wrong_state', `Item ${state.id} is not held.`);
      return stillSpent(state) ?? [{ type: 'ItemResumed' }];
    },
  };

/** Resuming while a limit is still reached would only hold again. */
function stillSpent(state: ItemState): Rejection | undefined {
  const { exhausted, limitSec, usedSec } = wallClock(state);
  const room = spentRoom(state);
  if (!exhausted && !room) return undefined;
  const next = `workcenter extend ${state.id} ${exhausted ? '--wall-clock 1h' : '--budget …'}`;
  const expected = room ? `less than ${sayAmount(room.what, room.limit ?? 0)}` : `less than ${limitSec} s used`;
  const found = room ? sayAmount(room.what, room.used) : `${Math.round(usedSec)} s`;
  return reject('budget_exhausted', 'The budget is used up.', { expected, found, next });
}

/** What the engine may do as well. */
export const LIFE_HANDLERS: Handlers<'StartItem' | 'HoldItem'> = {
  StartItem({ id, lifecycle }) {
    if (lifecycle === 'draft') return [{ type: 'ItemStarted' }];
    return reject('wrong_state', `Item ${id} was started before.`, { expected: 'draft', found: lifecycle });
  },
  HoldItem(state, { code, details }, ctx) {
    if (hasEnded(state)) return ended(state);
    if (state.hold) return reject('nothing_changed', `Item ${state.id} is held already: ${state.hold.details}`);
    return [{ type: 'ItemHeld', hold: { code, at: ctx.now, details } }];
  },
};
