import type { EventOf, StoredEvent } from '../event.ts';
import type { Fact, ItemState, Message, SubjectKind } from '../model/index.ts';
import { invariant } from '../rejection.ts';
import { patchAction } from './patch.ts';

type Seq = Pick<StoredEvent, 'seq'>;

/** A fact of this event: the next Coordinator turn has to hear it (D17). */
const heard = (state: ItemState, fact: Fact): ItemState => ({ ...state, inbox: [...state.inbox, fact] });

const toAction = (state: ItemState, actionId: string, message: Message): ItemState =>
  patchAction(state, actionId, (action) => ({ ...action, messages: [...action.messages, message] }));

/** To an unfinished Action it is context; about a finished one it is a fact for the decider (D15). */
export function posted(state: ItemState, { message, target }: EventOf<'MessagePosted'>, { seq }: Seq): ItemState {
  const counted = {
    ...state,
    messageCount: state.messageCount + 1,
    attachments: [...state.attachments, ...message.attachments],
  };
  if (target.kind === 'coordinator') return heard(counted, { seq, kind: 'message', message });
  const action = state.actions.find(({ id }) => id === target.actionId);
  return action?.status === 'completed'
    ? heard(counted, { seq, kind: 'message', message, about: action.id })
    : toAction(counted, target.actionId, message);
}

/** Requests that the Coordinator asked, or whose answer it has to hear. */
const TO_COORDINATOR: ReadonlySet<SubjectKind> = new Set<SubjectKind>([
  ...(['coordinator_question', 'contract_proposal', 'no_progress', 'idle'] as const),
]);

export const withoutRequest = (state: ItemState, { requestId }: { readonly requestId: string }): ItemState => ({
  ...state,
  requests: state.requests.filter((request) => request.id !== requestId),
});

/** The request is closed; what the Coordinator asked comes back to it as a fact. */
export function answered(state: ItemState, body: EventOf<'RequestAnswered'>, { seq }: Seq): ItemState {
  const { requestId, choice, text, attachments = [] } = body;
  const request = state.requests.find(({ id }) => id === requestId);
  invariant(request, `item ${state.id}: request ${requestId} was answered but is not open`);
  const next = { ...withoutRequest(state, body), attachments: [...state.attachments, ...attachments] };
  if (!TO_COORDINATOR.has(request.subject.kind)) return next;
  const told = heard(next, { seq, kind: 'answer', requestId, question: request.question, choice, text });
  return request.subject.kind === 'no_progress' ? { ...told, coordinator: { ...told.coordinator, dryTurns: 0 } } : told;
}

export const opened = (state: ItemState, { request }: EventOf<'RequestOpened'>): ItemState => {
  const next = { ...state, requests: [...state.requests, request], requestCount: state.requestCount + 1 };
  if (request.subject.kind !== 'tool_approval') return next;
  const { actionId } = request.subject;
  return patchAction(next, actionId, (action) => ({ ...action, approvals: action.approvals + 1 }));
};

export const granted = (state: ItemState, { actionId, grant }: EventOf<'GrantGiven'>): ItemState =>
  patchAction(state, actionId, (action) => ({ ...action, grants: [...action.grants, grant] }));

/** Leave for one call is used once; leave for a pattern lasts as long as the generation (D16). */
export const grantUsed = (state: ItemState, { actionId, key }: EventOf<'GrantUsed'>): ItemState =>
  patchAction(state, actionId, (action) => ({
    ...action,
    grants: action.grants.filter((grant) => grant.key !== key || grant.pattern !== undefined),
  }));
