import type { Context } from '../command.ts';
import { isProven, needsLanding, needsPublish } from '../derive/due.ts';
import { type CriterionGoal, goalOf } from '../derive/goal.ts';
import { actionById, isVerify } from '../derive/graph.ts';
import { isEmptyDelivery } from '../derive/result.ts';
import type { EventBody } from '../event.ts';
import type { ActionState } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import type { Choice, HumanRequest } from '../model/request.ts';
import { reject } from '../rejection.ts';
import { tooLong } from './actions.ts';
import { stopItem } from './control.ts';
import { type Answer, type Handler, landingInProgress, mustBeOpen } from './handler.ts';
import { resetAction, resetWithDependants } from './reset.ts';

/** Actions that a failed verification sends back: those that are for a criterion still unproven. */
export function suspectsOf(state: ItemState): readonly ActionState[] {
  const missing = new Set(
    goalOf(state)
      .criteria.filter((goal) => goal.standing !== 'passed')
      .map((goal) => goal.criterion.id),
  );
  return state.actions
    .filter((action) => !isVerify(action) && action.status === 'completed')
    .filter((action) => action.spec.for.some((id) => missing.has(id)));
}

const addressed = (state: ItemState, { subject }: HumanRequest): ActionState | undefined =>
  'actionId' in subject ? actionById(state, subject.actionId) : undefined;

function retry(state: ItemState, request: HumanRequest, text: string, ctx: Context): Answer {
  if (request.subject.kind === 'delivery_blocked') return [];
  const action = addressed(state, request);
  if (!action || isVerify(action)) return resetWithDependants(state, suspectsOf(state), 'retry', text, ctx);
  if (action.failureCode !== 'changes_requested') return resetWithDependants(state, [action], 'retry', text, ctx);
  const reviewed = state.actions.filter(
    ({ id, status }) => action.spec.dependsOn.includes(id) && status === 'completed',
  );
  const roots = reviewed.length > 0 ? reviewed : [action];
  return resetWithDependants(state, roots, 'retry', text.trim() || action.lastRun?.summary, ctx);
}

function close(state: ItemState, request: HumanRequest, text: string): Answer {
  const reason = text.trim() || 'closed by a person';
  if ('actionId' in request.subject) {
    return [{ type: 'ActionClosed', actionId: request.subject.actionId, reason }];
  }
  return state.actions
    .filter((action) => action.status === 'superseded' && !isVerify(action))
    .map((action): EventBody => ({ type: 'ActionClosed', actionId: action.id, reason }));
}

const retain = (state: ItemState, text: string): Answer =>
  state.actions
    .filter((action) => action.status === 'superseded' && !isVerify(action))
    .map((action) => resetAction(state, action, 'retain', text));

/** What took effect is not repeated by itself, even if its Action was made ready meanwhile (invariant 5). */
function resolveOperation(state: ItemState, request: HumanRequest, effect: 'applied' | 'not_applied'): Answer {
  const { subject } = request;
  if (subject.kind !== 'operation_unknown') return [];
  const resolved: EventBody = { type: 'OperationResolved', operationId: subject.operationId, effect };
  const operation = state.operations.find((known) => known.id === subject.operationId);
  const action = operation && actionById(state, operation.actionId);
  if (effect !== 'applied' || action?.status !== 'ready') return [resolved];
  return [resolved, { type: 'ActionRetired', actionId: action.id, as: 'superseded' }];
}

function branchOnly(): Answer {
  return [{ type: 'DeliveryChanged', delivery: { target: 'workspace_files' } }];
}

/** What each choice leads to; the request itself is closed by `RequestAnswered` in front of it. */
function consequences(
  state: ItemState,
  request: HumanRequest,
  choice: Choice,
  text: string,
  ctx: Context,
  stop: () => Answer,
): Answer {
  switch (choice) {
    case 'retry':
      return retry(state, request, text, ctx);
    case 'text':
      return retry(state, request, text, ctx);
    case 'close':
      return close(state, request, text);
    case 'verify':
      return [{ type: 'VerificationAsked' }];
    case 'retain':
      return retain(state, text);
    case 'branch_only':
      return branchOnly();
    case 'applied':
    case 'not_applied':
      return resolveOperation(state, request, choice);
    case 'stop':
      return stop();
  }
}

/** Answered once, by a user principal, with one of the offered choices (D16). */
export const answerRequest: Handler<'AnswerRequest'> = (state, body, ctx, command) => {
  const shut = mustBeOpen(state) ?? landingInProgress(state);
  if (shut) return shut;
  const request = state.requests.find((open) => open.id === body.requestId);
  if (!request) {
    const open = state.requests.map((known) => known.id).join(', ') || 'none';
    return reject('request_not_found', `Item ${state.id} has no open request ${body.requestId}.`, {
      expected: `one of: ${open}`,
      next: 'It may have been answered already.',
    });
  }
  if (!request.choices.includes(body.choice)) {
    return reject('choice_not_offered', `"${body.choice}" does not answer ${request.id}.`, {
      expected: request.choices.join(', '),
      found: body.choice,
    });
  }
  if (body.choice === 'text' && body.text.trim() === '') {
    return reject('invalid_field', `${request.id} asks for words.`, { expected: 'a text that is not empty' });
  }
  const long = tooLong(body.text);
  if (long) return long;
  const answered: EventBody = { type: 'RequestAnswered', requestId: request.id, choice: body.choice, text: body.text };
  const stop = (): Answer => stopItem(state, { type: 'StopItem', reason: `answer to ${request.id}` }, ctx, command);
  const caused = consequences(state, request, body.choice, body.text, ctx, stop);
  return Array.isArray(caused) ? [answered, ...caused] : caused;
};

/** Whether the thing a request asks about is still so (used by `react` to withdraw what is moot). */
export function isMoot(state: ItemState, request: HumanRequest): boolean {
  const { subject } = request;
  const action = addressed(state, request);
  switch (subject.kind) {
    case 'action_failed':
      return action?.status !== 'failed';
    case 'action_waiting':
      return action?.status !== 'waiting';
    case 'merge_conflict':
      return action?.status !== 'completed' || action.merge.kind !== 'conflict';
    case 'verification_error':
      return action?.status !== 'failed' || state.verifyAskedSeq > (action.lastRun?.endedSeq ?? 0);
    case 'verification_failed':
      return movesAgain(state) || !goalOf(state).criteria.some((goal) => goal.criterion.check && !isPassed(goal));
    case 'proof_missing':
      return movesAgain(state) || goalOf(state).allProven;
    case 'operation_unknown':
      return !state.operations.some((op) => op.id === subject.operationId && op.effect === 'unknown');
    case 'replan':
      return !state.actions.some((other) => other.status === 'superseded' && !isVerify(other));
    case 'delivery_blocked':
      return !isProven(state) || !isStillBlocked(state, subject.code);
  }
}

/** The engine's own codes are about missing results; the others about publishing or landing. */
const isStillBlocked = (state: ItemState, code: string): boolean =>
  code === 'no_response' || code === 'no_change' ? isEmptyDelivery(state) : needsPublish(state) || needsLanding(state);

const movesAgain = (state: ItemState): boolean =>
  state.actions.some(({ status }) => status === 'ready' || status === 'running');

const isPassed = (goal: CriterionGoal): boolean => goal.standing === 'passed';
