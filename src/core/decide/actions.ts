import { dependants, isVerify } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import { ACTION_LIMITS, type ActionState, isUnfinished } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { type Rejection, reject } from '../rejection.ts';
import { askVerification } from './control.ts';
import { fencedAction, type Handler, isAction, landingInProgress, mustBeOpen } from './handler.ts';
import { resetWithDependants } from './reset.ts';

export const tooLong = (text: string | undefined): Rejection | undefined =>
  text !== undefined && text.length > ACTION_LIMITS.guidanceChars
    ? reject('invalid_field', 'The guidance is too long.', {
        expected: `at most ${ACTION_LIMITS.guidanceChars} characters`,
        found: `${text.length}`,
      })
    : undefined;

const cannot = (verb: string, action: ActionState, expected: string): Rejection =>
  reject('wrong_state', `Action ${action.id} is ${action.status}: it cannot be ${verb}.`, {
    expected,
    found: action.status,
  });

const guard = (state: ItemState, text?: string): Rejection | undefined =>
  mustBeOpen(state) ?? landingInProgress(state) ?? tooLong(text);

const RETRYABLE: ReadonlySet<ActionState['status']> = new Set(['waiting', 'failed', 'completed', 'superseded']);

/** A person's retry: also of a completed Action, with all that depends on it (D15). */
export const retryAction: Handler<'RetryAction'> = (state, body, ctx) => {
  const shut = guard(state, body.guidance);
  if (shut) return shut;
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  if (isVerify(action)) return askVerification(state);
  if (!RETRYABLE.has(action.status)) return cannot('retried', action, 'waiting, failed or completed');
  const cause = action.status === 'superseded' ? 'retain' : 'retry';
  return resetWithDependants(state, [action], cause, body.guidance, ctx);
};

/** Restart an unfinished Action with guidance; its Run is superseded, epoch and generation + 1 (D15). */
export const redirectAction: Handler<'RedirectAction'> = (state, body, ctx) => {
  const shut = guard(state, body.guidance);
  if (shut) return shut;
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  if (isVerify(action) || !isUnfinished(action.status)) return cannot('redirected', action, 'an unfinished Action');
  if (body.guidance.trim() === '') return reject('invalid_field', 'A redirect needs guidance.');
  return resetWithDependants(state, [action], 'redirect', body.guidance, ctx);
};

/** A completed result that could not be merged may be left out as well (D32). */
const isClosable = (action: ActionState): boolean =>
  action.status === 'ready' ||
  action.status === 'waiting' ||
  action.status === 'failed' ||
  action.status === 'superseded' ||
  (action.status === 'completed' && action.merge.kind === 'conflict');

/** Closing is neither proof nor rollback; `cascade` closes what depended on it too (D2). */
export const closeAction: Handler<'CloseAction'> = (state, body) => {
  const shut = guard(state, body.reason);
  if (shut) return shut;
  const action = fencedAction(state, body.actionId, body.generation);
  if (!isAction(action)) return action;
  if (isVerify(action) || !isClosable(action)) return cannot('closed', action, 'ready, waiting or failed');
  const above = body.cascade ? dependants(state.actions, action.id) : new Set<string>();
  const targets = state.actions.filter((other) => above.has(other.id) && isClosable(other));
  const reason = body.reason.trim() || 'closed by a person';
  return [action, ...targets].map((target): EventBody => ({ type: 'ActionClosed', actionId: target.id, reason }));
};
