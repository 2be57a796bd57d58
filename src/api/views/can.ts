import { type ActionState, type ItemState, isUnfinished, isVerify, spentRoom, wallClock } from '../../core/index.ts';

/** Whether something may be asked for now, and why not where it may not: the server's word, not the client's guess. */
export type Can = Readonly<{ allowed: true } | { allowed: false; reason: string }>;

const yes: Can = Object.freeze({ allowed: true });
const no = (reason: string): Can => ({ allowed: false, reason });
const only = (is: boolean, reason: string): Can => (is ? yes : no(reason));

/** The first reason that holds. */
const unless = (...reasons: readonly (string | false | undefined)[]): Can => {
  const reason = reasons.find((each) => typeof each === 'string');
  return typeof reason === 'string' ? no(reason) : yes;
};

const CLOSED_BECAUSE = {
  draft: 'It has not been started.',
  cancelling: 'It is being stopped.',
  cancelled: 'It was stopped.',
  done: 'It is done.',
} as const;

const notOpen = ({ lifecycle }: ItemState) => lifecycle !== 'open' && CLOSED_BECAUSE[lifecycle];
const landing = (state: ItemState) => state.landing.kind === 'reserved' && 'Its result is being landed.';
const hasEnded = ({ lifecycle }: ItemState): boolean => lifecycle === 'done' || lifecycle === 'cancelled';
const isSpent = (state: ItemState): boolean => wallClock(state).exhausted || spentRoom(state) !== undefined;
const uncheckable = ({ contract }: ItemState) =>
  !contract.criteria.some(({ check }) => check) && 'No criterion has a check.';

const reopening = ({ lifecycle }: ItemState): string =>
  lifecycle === 'done' ? 'What is done stays done.' : 'It was not cancelled.';

/** What a person may do to an item now; the core decides again when it is asked. */
export const canOf = (state: ItemState) => ({
  start: only(state.lifecycle === 'draft', 'It was started before.'),
  stop: unless((hasEnded(state) || state.lifecycle === 'cancelling') && notOpen(state)),
  reopen: only(state.lifecycle === 'cancelled', reopening(state)),
  resume: unless(!state.hold && 'It is not held.', isSpent(state) && 'Its budget is used up; extend it first.'),
  extend: only(state.lifecycle !== 'done', 'It is done.'),
  message: unless(notOpen(state), state.plan.kind !== 'coordinated' && 'It follows a plan.'),
  edit: unless(state.lifecycle !== 'draft' && notOpen(state), landing(state)),
  rerun: unless(uncheckable(state)),
});

type Status = ActionState['status'];
const RETRIED: readonly Status[] = ['waiting', 'failed', 'completed', 'superseded'];
const CLOSED: readonly Status[] = ['ready', 'waiting', 'failed', 'superseded'];
const OVER: readonly Status[] = ['closed', 'superseded', 'cancelled'];

const isClosable = ({ status, merge }: ActionState): boolean =>
  CLOSED.includes(status) || (status === 'completed' && merge.kind === 'conflict');

/** Why an Action of an open item cannot hear anything now. */
function deafness({ plan }: ItemState, { status, spec }: ActionState): string | undefined {
  if (status === 'running' && spec.executor.kind !== 'agent') return 'A running command hears nothing.';
  const isOver = OVER.includes(status) || (status === 'completed' && plan.kind !== 'coordinated');
  return isOver ? `It is ${status}.` : undefined;
}

/** The same for one Action. */
export function canOfAction(state: ItemState, action: ActionState) {
  const { status } = action;
  const shut = [notOpen(state), landing(state)] as const;
  const made = isVerify(action) && 'The engine made it.';
  const is = `It is ${status}.`;
  return {
    retry: unless(...shut, made ? uncheckable(state) : !RETRIED.includes(status) && is),
    redirect: unless(...shut, made, !isUnfinished(status) && is),
    close: unless(...shut, made, !isClosable(action) && is),
    message: unless(notOpen(state), made, deafness(state, action)),
  };
}

/** Whether a request may be answered: all of them or none. */
export const canAnswer = (state: ItemState): Can => unless(notOpen(state), landing(state));

/** Whether a person may say what became of an effect. */
export const canResolve = (state: ItemState, { effect }: ItemState['operations'][number]): Can =>
  unless(landing(state), effect !== 'unknown' && `Its effect is known: ${effect}.`);
