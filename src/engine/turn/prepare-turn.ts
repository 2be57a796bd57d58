import {
  ACTION_DEFAULTS,
  type ActionDefaults,
  type ConversationEntry,
  firstRequest,
  messagesOf,
  type TurnFile,
} from '../../coordinator/index.ts';
import type { Attachment, ItemState, OpenTurn } from '../../core/index.ts';
import { type ModelRequest, resolveModel } from '../../model/index.ts';
import { TOOL_NAMES, type Vp } from '../../vp/index.ts';
import { memoryOf } from '../agent/memory.ts';
import { registryFor } from '../agent/vps.ts';
import { coordinatorModel, modelSettings, readConfiguration } from '../configuration.ts';
import { secretsOf } from '../run/confinement.ts';
import type { World } from '../world.ts';

export interface TurnMaterial {
  readonly kind: 'prepared';
  /** The first request; after a crash the stored one is used instead. */
  readonly first: ModelRequest;
  readonly vps: readonly Vp[];
  readonly defaults: ActionDefaults;
  /** What nothing that is kept or shown may hold (D38). */
  readonly secrets: readonly string[];
}

type Prepared = TurnMaterial | Readonly<{ kind: 'refused'; code: string; error: string }>;

/** Everything that a turn is made of: its model, what it sees, who could work (D17). */
export async function prepareTurn(world: World, state: ItemState, turn: OpenTurn): Promise<Prepared> {
  const configuration = readConfiguration((await world.store.readSettings()).value);
  const model = resolveModel(coordinatorModel(configuration), modelSettings(configuration), world.env);
  if (model.kind === 'failed') {
    const { code, expected, found, next } = model;
    return {
      kind: 'refused',
      code,
      error: `No model for the Coordinator: expected ${expected}, found ${found}. ${next}`,
    };
  }
  const { vps } = await registryFor(world, state.contract.directory);
  const secrets = secretsOf(world, { env: {} });
  const { request } = firstRequest({
    state,
    turn,
    conversation: await conversationOf(world, state.id),
    vps,
    memory: await memoryOf(world, state),
    abilities: { tools: TOOL_NAMES, network: ACTION_DEFAULTS.network },
    redaction: { secrets, roots: [state.contract.directory] },
    model: model.ref,
    effort: 'high',
    files: await filesOf(world, state, turn),
  });
  return { kind: 'prepared', first: request, vps, defaults: ACTION_DEFAULTS, secrets };
}

const NEWEST = 40;

async function conversationOf({ store }: World, itemId: string): Promise<readonly ConversationEntry[]> {
  const entries = await store.entries(itemId, { limit: NEWEST });
  return entries.map(({ entryId, author, targetKind, targetId, text, quote }): ConversationEntry => {
    const from = author === 'coordinator' ? 'coordinator' : 'person';
    const actionId = targetKind === 'action' ? targetId : null;
    return {
      id: entryId,
      from,
      text,
      ...(actionId === null || actionId === undefined ? {} : { actionId }),
      ...(quote ? { quote } : {}),
    };
  });
}

/** Files of this turn's messages; with the first turn those that came with the goal. */
async function filesOf({ store }: World, state: ItemState, turn: OpenTurn): Promise<readonly TurnFile[]> {
  const isFirst = state.coordinator.turns <= 1;
  const files: readonly Attachment[] = isFirst
    ? state.attachments
    : messagesOf(state, turn).flatMap(({ attachments }) => attachments);
  const read = await Promise.all(
    files.map(async ({ name, mediaType, hash }) => {
      const body = await store.getContent(hash);
      return body ? [{ name, mediaType, data: Buffer.from(body).toString('base64') }] : [];
    }),
  );
  return read.flat();
}
