import type { EventBody, StoredEvent } from '../event.ts';
import type { ActionState } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { newAction, patchAction, without } from './parts.ts';

type Reset = Extract<EventBody, { type: 'ActionReset' }>;

/** A new generation starts clean: nothing of the old result may count again (D7). */
function reset(state: ItemState, action: ActionState, body: Reset, at: number): ActionState {
  return {
    ...without(action, 'result', 'runId', 'closeReason', 'failureCode'),
    status: 'ready',
    generation: body.generation,
    contractVersion: state.contractVersion,
    grantedAttempts: action.grantedAttempts + body.grantAttempts,
    suspicions: 0,
    readyAt: at,
    guidance: body.guidance === undefined ? action.guidance : [...action.guidance, body.guidance],
    merge: { kind: 'none' },
  };
}

/** The Action set and its members' admission. */
export function evolveAction(state: ItemState, body: EventBody, event: StoredEvent): ItemState {
  switch (body.type) {
    case 'ActionAdded': {
      const added = newAction(body.action, state.actions.length + 1, state.contractVersion, event.at);
      const verifies = body.action.spec.executor.kind === 'verify' ? 1 : 0;
      return { ...state, actions: [...state.actions, added], verifyCount: state.verifyCount + verifies };
    }
    case 'ActionReset':
      return patchAction(state, body.actionId, (action) => reset(state, action, body, event.at));
    case 'ActionClosed':
      return patchAction(state, body.actionId, (action) => ({
        ...action,
        status: 'closed',
        closeReason: body.reason,
        merge: { kind: 'none' },
      }));
    case 'ActionRetired':
      return patchAction(state, body.actionId, (action) => ({ ...action, status: body.as }));
    default:
      return state;
  }
}
