import type { Context } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import type { ActionState, Choice, HumanRequest, ItemState } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { stopItem } from './control.ts';
import { type Handlers, landingInProgress, mustBeOpen, refused, tooLong } from './handler.ts';
import { supersededOf, suspectsOf } from './questions.ts';
import { resetAction, resetWithDependants } from './reset.ts';

/**
 * Sends back who failed, what a review refused (with its words, where the person has none), or who is for what is not
 * proven. A delivery is simply tried again.
 */
function retry(state: ItemState, { subject }: HumanRequest, text: string, ctx: Context): readonly EventBody[] {
  const reset = (roots: readonly ActionState[], guidance = text) =>
    resetWithDependants(state, roots, 'retry', guidance, ctx);
  if (subject.kind === 'delivery_blocked') return [];
  const action = 'actionId' in subject ? actionById(state, subject.actionId) : undefined;
  if (!action || subject.kind === 'verification_failed') return reset(suspectsOf(state));
  const { spec, failureCode, lastRun } = action;
  const reviewed = state.actions.filter(({ id, status }) => spec.dependsOn.includes(id) && status === 'completed');
  if (failureCode !== 'changes_requested' || reviewed.length === 0) return reset([action]);
  return reset(reviewed, text.trim() || lastRun?.summary);
}

/** What took effect is not repeated by itself, even if its Action was made ready meanwhile (invariant 5). */
function resolve(state: ItemState, operationId: string, effect: 'applied' | 'not_applied'): readonly EventBody[] {
  const resolved: EventBody = { type: 'OperationResolved', operationId, effect };
  const operation = state.operations.find(({ id }) => id === operationId);
  const action = operation && actionById(state, operation.actionId);
  if (effect !== 'applied' || action?.status !== 'ready') return [resolved];
  return [resolved, { type: 'ActionRetired', actionId: action.id, as: 'superseded' }];
}

/** What a choice leads to; the request itself is closed by `RequestAnswered` in front of it. */
function consequences(state: ItemState, request: HumanRequest, choice: Choice, text: string, ctx: Context) {
  const { subject } = request;
  const superseded = supersededOf(state);
  switch (choice) {
    case 'retry':
    case 'text':
      return retry(state, request, text, ctx);
    case 'close': {
      const ids = 'actionId' in subject ? [subject.actionId] : superseded.map(({ id }) => id);
      const reason = text.trim() || 'closed by a person';
      return ids.map((actionId): EventBody => ({ type: 'ActionClosed', actionId, reason }));
    }
    case 'verify':
      return [{ type: 'VerificationAsked' } as const];
    case 'retain':
      return superseded.map((action) => resetAction(state, action, 'retain', text));
    case 'branch_only':
      return [{ type: 'DeliveryChanged', delivery: { target: 'workspace_files' } } as const];
    case 'applied':
    case 'not_applied':
      return subject.kind === 'operation_unknown' ? resolve(state, subject.operationId, choice) : [];
    case 'stop':
      return stopItem(state, `answer to ${request.id}`, ctx);
  }
}

function unfitting({ id, choices }: HumanRequest, choice: Choice, text: string): Rejection | undefined {
  if (!choices.includes(choice)) {
    const more = { expected: choices.join(', '), found: choice };
    return reject('choice_not_offered', `"${choice}" does not answer ${id}.`, more);
  }
  return choice === 'text' && text.trim() === '' ? reject('invalid_field', `${id} asks for words.`) : tooLong(text);
}

/** Answered once, by a user principal, with one of the offered choices (D16). */
export const REQUEST_HANDLERS: Handlers<'AnswerRequest'> = {
  AnswerRequest(state, { requestId, choice, text }, ctx) {
    const shut = mustBeOpen(state) ?? landingInProgress(state);
    if (shut) return shut;
    const request = state.requests.find(({ id }) => id === requestId);
    if (!request) {
      const expected = `one of: ${state.requests.map(({ id }) => id).join(', ') || 'none'}`;
      const next = 'It may have been answered already.';
      return reject('request_not_found', `Item ${state.id} has no open request ${requestId}.`, { expected, next });
    }
    const wrong = unfitting(request, choice, text);
    if (wrong) return wrong;
    const caused = consequences(state, request, choice, text, ctx);
    return refused(caused) ? caused : [{ type: 'RequestAnswered', requestId, choice, text }, ...caused];
  },
};
