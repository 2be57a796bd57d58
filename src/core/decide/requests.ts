import type { Context } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import type {
  ActionState,
  Choice,
  HumanRequest,
  ItemState,
  Proposal,
  SubjectKind,
  ToolApproval,
} from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { stopItem } from './control.ts';
import { attachmentsRejected } from './conversation.ts';
import { contractEdit } from './edit-contract.ts';
import { type Answer, type Handlers, landingInProgress, mustBeOpen, refused, tooLong } from './handler.ts';
import { resolveOperation } from './operations.ts';
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

/** A leave, and another start for an Action that gave up waiting for it; a refusal is told to it (D16). */
function approval(state: ItemState, subject: ToolApproval, choice: Choice, text: string): readonly EventBody[] {
  const { actionId, key, pattern, tool, call } = subject;
  const action = actionById(state, actionId);
  if (!action) return [];
  const grant = choice === 'approve_pattern' ? { key, pattern } : { key };
  const given: readonly EventBody[] = choice === 'deny' ? [] : [{ type: 'GrantGiven', actionId, grant }];
  if (action.status !== 'waiting') return given;
  const words = choice === 'deny' ? `A person refused ${tool}: ${call}. ${text}` : text;
  return [...given, resetAction(state, action, 'approval', words)];
}

/** The contract that was shown, against the version that it was shown for (D20). */
function confirm(state: ItemState, { baseVersion, contract, changed }: Proposal, ctx: Context): Answer {
  const title = changed.includes('title') ? contract.title : state.contract.title;
  if (baseVersion === state.contractVersion) return contractEdit(state, { ...contract, title }, ctx);
  const more = { expected: `contract version ${baseVersion}`, found: `${state.contractVersion}` };
  return reject('contract_version_stale', 'The contract changed since this was proposed.', more);
}

/** The answer itself is what the Coordinator hears next; nothing else follows from it. */
const HEARD: ReadonlySet<SubjectKind> = new Set(['coordinator_question', 'no_progress', 'idle'] as const);

/** What a choice leads to; the request itself is closed by `RequestAnswered` in front of it. */
function consequences(state: ItemState, request: HumanRequest, choice: Choice, text: string, ctx: Context): Answer {
  const { subject } = request;
  const superseded = supersededOf(state);
  switch (choice) {
    case 'text':
      return HEARD.has(subject.kind) ? [] : retry(state, request, text, ctx);
    case 'retry':
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
    case 'response':
      return [{ type: 'DeliveryChanged', delivery: { target: 'response' } } as const];
    case 'applied':
    case 'not_applied':
      return subject.kind === 'operation_unknown' ? resolveOperation(state, subject.operationId, choice) : [];
    case 'approve':
    case 'approve_pattern':
    case 'deny':
      return subject.kind === 'tool_approval' ? approval(state, subject, choice, text) : [];
    case 'confirm':
      return subject.kind === 'contract_proposal' ? confirm(state, subject.proposal, ctx) : [];
    case 'reject':
    case 'ask_again':
      return [];
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
  AnswerRequest(state, { requestId, choice, text, attachments = [] }, ctx) {
    const shut = mustBeOpen(state) ?? landingInProgress(state);
    if (shut) return shut;
    const request = state.requests.find(({ id }) => id === requestId);
    if (!request) {
      const expected = `one of: ${state.requests.map(({ id }) => id).join(', ') || 'none'}`;
      const next = 'It may have been answered already.';
      return reject('request_not_found', `Item ${state.id} has no open request ${requestId}.`, { expected, next });
    }
    const wrong = unfitting(request, choice, text) ?? attachmentsRejected(state.attachments, attachments);
    if (wrong) return wrong;
    const caused = consequences(state, request, choice, text, ctx);
    if (refused(caused)) return caused;
    const files = attachments.length > 0 ? { attachments } : {};
    return [{ type: 'RequestAnswered', requestId, choice, text, ...files }, ...caused];
  },
};
