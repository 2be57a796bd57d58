import { statusOf } from '../../core/index.ts';
import { inventoryOf, KNOWN_CAPABILITIES } from '../../vp/index.ts';
import { actionParts, verificationPart } from './action-part.ts';
import {
  backgroundParts,
  budgetBand,
  conversationParts,
  memoryParts,
  requestParts,
  unknownOperations,
} from './around-part.ts';
import { contractPart, criterionParts, progressPart } from './contract-part.ts';
import type { SnapshotInput } from './input.ts';
import { SNAPSHOT_LIMITS as LIMITS } from './limits.ts';
import { nowPart } from './now-part.ts';
import type { ItemPart, Picture } from './picture.ts';
import { optional, own } from './words.ts';

/** The whole picture, before anything is taken away for lack of room. */
export function drawPicture(input: SnapshotInput): Picture {
  const { state } = input;
  const verification = verificationPart(input);
  const { kept: conversation, left } = conversationParts(input);
  const { vps, omitted } = inventoryOf(input.vps, wantedCapabilities(input));
  const unknown = state.operations.filter(({ effect }) => effect === 'unknown').length;
  return {
    item: itemPart(input),
    now: nowPart(input),
    contract: contractPart(state),
    criteria: criterionParts(input),
    progress: progressPart(state),
    actions: actionParts(input),
    ...(verification ? { verification } : {}),
    requests: requestParts(input),
    unknownOperations: unknownOperations(input),
    budget: budgetBand(state),
    conversation,
    background: backgroundParts(input),
    memory: memoryParts(input),
    vps,
    abilities: { tools: input.abilities.tools.slice(0, LIMITS.tools), network: input.abilities.network },
    omitted: counted({
      conversation: left,
      vps: omitted,
      requests: state.requests.length - LIMITS.requests,
      unknownOperations: unknown - LIMITS.operations,
      memory: state.reuseMemory ? input.memory.length - LIMITS.memory : 0,
    }),
  };
}

const counted = (left: Picture['omitted']): Picture['omitted'] =>
  Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));

/** The types of what goes on, or of whatever may be started. */
function wantedCapabilities({ state }: SnapshotInput): readonly string[] {
  const types = state.actions.flatMap(({ status, spec }) => (status === 'failed' ? [spec.type] : []));
  return types.length > 0 ? [...new Set(types)] : KNOWN_CAPABILITIES;
}

function itemPart({ state, language }: SnapshotInput): ItemPart {
  return {
    id: state.id,
    title: own(state.contract.title, LIMITS.lineBytes),
    titlePending: state.titlePending,
    status: statusOf(state),
    contractVersion: state.contractVersion,
    ...optional('language', language && own(language, 64)),
  };
}
