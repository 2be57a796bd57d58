import type { EventBody, StoredEvent } from '../event.ts';
import type { ItemState, Landing } from '../model/item.ts';
import { invariant } from '../rejection.ts';
import { patchAction } from './parts.ts';
import { rememberWrite } from './run-events.ts';

type Merged = Extract<EventBody, { type: 'ResultMerged' }>;
type Settled = Extract<EventBody, { type: 'LandingSettled' }>;

/** The name under which a sync with the target counts as a write: nobody's proof survives it. */
export const TARGET_SYNC = '@target';

function merged(state: ItemState, body: Merged, seq: number): ItemState {
  const next = patchAction(state, body.actionId, (action) => ({
    ...action,
    merge: { kind: 'merged', head: body.head, seq },
  }));
  if (!body.wrote) return next;
  const action = next.actions.find((candidate) => candidate.id === body.actionId);
  const identity = action?.spec.executor.kind === 'command' ? action.spec.executor.identity : 'engine';
  const mark = { actionId: body.actionId, generation: body.generation, identity, seq };
  return {
    ...next,
    branch: { ...state.branch, head: body.head, writeSeq: seq },
    writes: rememberWrite(state.writes, mark),
  };
}

function landed(state: ItemState, body: Settled): Landing {
  invariant(state.landing.kind === 'reserved', `item ${state.id}: a landing was settled that nobody reserved`);
  const { commit, branch } = state.landing;
  return body.landed ? { kind: 'landed', commit, branch } : { kind: 'none' };
}

/** The item branch and the way from it to the user. */
export function evolveDelivery(state: ItemState, body: EventBody, event: StoredEvent): ItemState {
  switch (body.type) {
    case 'ResultMerged':
      return merged(state, body, event.seq);
    case 'MergeConflicted':
      return patchAction(state, body.actionId, (action) => ({
        ...action,
        merge: { kind: 'conflict', paths: body.paths, ours: body.ours, theirs: body.theirs, seq: event.seq },
      }));
    case 'TargetSynced':
      return {
        ...state,
        branch: { head: body.head, writeSeq: event.seq, base: body.targetHead },
        writes: rememberWrite(state.writes, {
          actionId: TARGET_SYNC,
          generation: 0,
          identity: TARGET_SYNC,
          seq: event.seq,
        }),
      };
    case 'ResultPublished':
      return { ...state, published: { ref: body.ref, commit: body.commit } };
    case 'LandingReserved':
      return {
        ...state,
        landing: { kind: 'reserved', epoch: body.epoch, commit: body.commit, branch: body.branch },
        landingEpoch: body.epoch,
      };
    case 'LandingSettled':
      return { ...state, landing: landed(state, body) };
    case 'DeliveryChanged':
      return {
        ...state,
        contract: { ...state.contract, delivery: body.delivery },
        contractVersion: state.contractVersion + 1,
      };
    default:
      return state;
  }
}
