import { dependants, isVerify } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { type ActionState, type ActionStatus, type ItemState, isUnfinished } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { askVerification } from './control.ts';
import { fencedAction, type Handlers, isAction, landingInProgress, mustBeOpen, tooLong } from './handler.ts';
import { resetWithDependants } from './reset.ts';

const cannot = (verb: string, { id, status }: ActionState, expected: string): Rejection =>
  reject('wrong_state', `Action ${id} is ${status}: it cannot be ${verb}.`, { expected, found: status });

type ToAction = { readonly actionId: string; readonly generation: number };

const addressed = (state: ItemState, body: ToAction, text?: string): ActionState | Rejection =>
  mustBeOpen(state) ?? landingInProgress(state) ?? tooLong(text) ?? fencedAction(state, body.actionId, body.generation);

const RETRYABLE: ReadonlySet<ActionStatus> = new Set<ActionStatus>(['waiting', 'failed', 'completed', 'superseded']);
const CLOSABLE: ReadonlySet<ActionStatus> = new Set<ActionStatus>(['ready', 'waiting', 'failed', 'superseded']);

/** A completed result that could not be merged may be left out as well (D32). */
const isClosable = (action: ActionState): boolean =>
  !isVerify(action) &&
  (CLOSABLE.has(action.status) || (action.status === 'completed' && action.merge.kind === 'conflict'));

/** What a person may do to one Action (D15). */
export const ACTION_HANDLERS: Handlers<'RetryAction' | 'RedirectAction' | 'CloseAction'> = {
  /** Also of a completed Action, with all that depends on it. */
  RetryAction(state, body, ctx) {
    const action = addressed(state, body, body.guidance);
    if (!isAction(action)) return action;
    if (isVerify(action)) return askVerification(state);
    if (!RETRYABLE.has(action.status)) return cannot('retried', action, 'waiting, failed or completed');
    const cause = action.status === 'superseded' ? 'retain' : 'retry';
    return resetWithDependants(state, [action], cause, body.guidance, ctx);
  },
  /** Restarts an unfinished Action; its Run is superseded, epoch and generation + 1. */
  RedirectAction(state, body, ctx) {
    const action = addressed(state, body, body.guidance);
    if (!isAction(action)) return action;
    if (isVerify(action) || !isUnfinished(action.status)) return cannot('redirected', action, 'an unfinished Action');
    if (body.guidance.trim() === '') return reject('invalid_field', 'A redirect needs guidance.');
    return resetWithDependants(state, [action], 'redirect', body.guidance, ctx);
  },
  /** Closing is neither proof nor rollback; `cascade` closes what depended on it too (D2). */
  CloseAction(state, body) {
    const action = addressed(state, body, body.reason);
    if (!isAction(action)) return action;
    if (!isClosable(action)) return cannot('closed', action, 'ready, waiting or failed');
    const above = body.cascade ? dependants(state.actions, action.id) : new Set<string>();
    const targets = [action, ...state.actions.filter((other) => above.has(other.id) && isClosable(other))];
    const reason = body.reason.trim() || 'closed by a person';
    return targets.map(({ id }): EventBody => ({ type: 'ActionClosed', actionId: id, reason }));
  },
};
