import { type ItemState, isVerify } from '../../core/index.ts';

/** Whether something may be asked for now, and why not where it may not: the server's word, not the client's guess. */
export type Can = Readonly<{ allowed: true } | { allowed: false; reason: string }>;

const yes: Can = Object.freeze({ allowed: true });
const no = (reason: string): Can => ({ allowed: false, reason });

const only = (is: boolean, reason: string): Can => (is ? yes : no(reason));

/** What a person may do to an item now; the core decides again when it is asked. */
export function canOf(
  state: ItemState,
): Readonly<Record<'start' | 'stop' | 'reopen' | 'resume' | 'message' | 'edit', Can>> {
  const { lifecycle, hold, landing, plan } = state;
  const isLanding = landing.kind === 'reserved';
  return {
    start: only(lifecycle === 'draft', 'It was started before.'),
    stop: only(lifecycle === 'draft' || lifecycle === 'open', `It is ${lifecycle}.`),
    reopen: only(
      lifecycle === 'cancelled',
      lifecycle === 'done' ? 'What is done stays done.' : 'It was not cancelled.',
    ),
    resume: only(hold !== undefined, 'It is not held.'),
    message: lifecycle !== 'open' ? no(`It is ${lifecycle}.`) : only(plan.kind === 'coordinated', 'It follows a plan.'),
    edit: isLanding
      ? no('Its result is being landed.')
      : only(lifecycle === 'open' || lifecycle === 'draft', `It is ${lifecycle}.`),
  };
}

/** The same for one Action. */
export function canOfAction(state: ItemState, actionId: string): Readonly<Record<'retry' | 'redirect' | 'close', Can>> {
  const action = state.actions.find(({ id }) => id === actionId);
  const never = no('The engine made it.');
  if (!action || isVerify(action)) return { retry: never, redirect: never, close: never };
  const { status } = action;
  const isOpen = state.lifecycle === 'open';
  const is = (...wanted: readonly string[]): Can => only(isOpen && wanted.includes(status), `It is ${status}.`);
  return {
    retry: is('waiting', 'failed', 'completed', 'superseded'),
    redirect: is('ready', 'running', 'waiting', 'failed'),
    close: is('ready', 'waiting', 'failed', 'superseded'),
  };
}
