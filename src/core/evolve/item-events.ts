import type { EventBody, StoredEvent } from '../event.ts';
import type { ItemState } from '../model/item.ts';
import { NO_USAGE } from '../model/outcome.ts';
import { newAction, without } from './parts.ts';

type Created = Extract<EventBody, { type: 'ItemCreated' }>;

export function createItem(id: string, event: StoredEvent, body: Created): ItemState {
  const head = body.base.kind === 'git' ? body.base.commit : body.base.contentHash;
  return {
    id,
    version: event.seq,
    createdAt: event.at,
    updatedAt: event.at,
    contract: body.contract,
    contractVersion: 1,
    plan: body.plan,
    planVersion: 1,
    base: body.base,
    lifecycle: 'draft',
    controlVersion: 1,
    limits: body.limits,
    usage: NO_USAGE,
    actions: body.actions.map((action, index) => newAction(action, index + 1, 1, event.at)),
    runs: [],
    claims: [],
    writes: [],
    operations: [],
    requests: [],
    requestCount: 0,
    verifyCount: 0,
    verifyAskedSeq: 0,
    branch: { head, writeSeq: event.seq, base: head },
    landing: { kind: 'none' },
    landingEpoch: 0,
    claimKey: event.at,
  };
}

const closeRequest = (state: ItemState, requestId: string): ItemState => ({
  ...state,
  requests: state.requests.filter((request) => request.id !== requestId),
});

/** Lifecycle, contract, control and requests. */
export function evolveItem(state: ItemState, body: EventBody, event: StoredEvent): ItemState {
  switch (body.type) {
    case 'ItemStarted':
      return { ...state, lifecycle: 'open', startedAt: event.at, claimKey: event.at };
    case 'ContractEdited':
      return { ...state, contract: body.contract, contractVersion: state.contractVersion + 1 };
    case 'ItemHeld':
      return { ...state, hold: body.hold, controlVersion: state.controlVersion + 1 };
    case 'ItemResumed':
      return { ...without(state, 'hold'), controlVersion: state.controlVersion + 1 };
    case 'BudgetExtended':
      return { ...state, limits: body.limits, controlVersion: state.controlVersion + 1 };
    case 'StopRequested':
      return { ...state, lifecycle: 'cancelling' };
    case 'ItemCancelled':
      return { ...without(state, 'hold'), lifecycle: 'cancelled', endedAt: event.at };
    case 'ItemReopened':
      return { ...without(state, 'endedAt'), lifecycle: 'open' };
    case 'ItemCompleted':
      return { ...state, lifecycle: 'done', finalResult: body.result, endedAt: event.at };
    case 'RequestOpened':
      return { ...state, requests: [...state.requests, body.request], requestCount: state.requestCount + 1 };
    case 'RequestAnswered':
    case 'RequestWithdrawn':
      return closeRequest(state, body.requestId);
    case 'VerificationAsked':
      return { ...state, verifyAskedSeq: event.seq };
    default:
      return state;
  }
}
