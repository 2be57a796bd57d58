import { type ItemState, roomsOf, wallClock } from '../../core/index.ts';
import type { ConversationEntry, SnapshotInput } from './input.ts';
import { SNAPSHOT_LIMITS as LIMITS } from './limits.ts';
import { messagesOf, quotePart } from './now-part.ts';
import type { BudgetBand, MemoryPart, Picture, RequestPart, SaidPart } from './picture.ts';
import { foreign, newestWithin, optional, own } from './words.ts';

export function requestParts({ state, redaction }: SnapshotInput): readonly RequestPart[] {
  return state.requests
    .slice(-LIMITS.requests)
    .map(({ id, kind, subject, question, details, choices }) => ({
      id,
      kind,
      about: 'actionId' in subject ? `${subject.kind} ${subject.actionId}` : subject.kind,
      question: foreign(question, LIMITS.questionBytes, redaction),
      ...(details.length > 0
        ? { details: details.slice(0, LIMITS.details).map((detail) => foreign(detail, LIMITS.detailBytes, redaction)) }
        : {}),
      choices,
    }));
}

export const unknownOperations = ({ state, redaction }: SnapshotInput): Picture['unknownOperations'] =>
  state.operations
    .filter(({ effect }) => effect === 'unknown')
    .slice(-LIMITS.operations)
    .map(({ id, actionId, what }) => ({ id, actionId, what: foreign(what, LIMITS.lineBytes, redaction) }));

const HALF = 0.5;
const LOW = 0.8;

/** A band and never a number: what cannot be counted on cannot be spent to the last (chapter 2 §15). */
export function budgetBand(state: ItemState): BudgetBand {
  const { limitSec, usedSec } = wallClock(state);
  const shares = [...roomsOf(state), { limit: limitSec, used: usedSec, reserved: 0 }].map(
    ({ limit, used, reserved }) => (limit === null ? 0 : (used + reserved) / limit),
  );
  const scarcest = Math.max(...shares);
  if (scarcest < HALF) return 'plenty';
  return scarcest < LOW ? 'half' : 'low';
}

/** Twenty entries, 10 KiB; the newest are kept. What this turn hears for the first time is not repeated here. */
export function conversationParts(input: SnapshotInput): { readonly kept: readonly SaidPart[]; readonly left: number } {
  const isNew = new Set(messagesOf(input.state, input.turn).map(({ id }) => id));
  const earlier = input.conversation.filter(
    ({ id, text }) => text.trim() !== '' && !(id !== undefined && isNew.has(id)),
  );
  const recent = earlier.slice(-LIMITS.conversationEntries).map((entry) => saidPart(entry, input));
  const most = { entries: LIMITS.conversationEntries, bytes: LIMITS.conversationBytes };
  const { kept } = newestWithin(recent, most, ({ text, quote }) => text + (quote?.untrusted ?? ''));
  return { kept, left: earlier.length - kept.length };
}

function saidPart({ from, actionId, text, quote }: ConversationEntry, { redaction }: SnapshotInput): SaidPart {
  const most = LIMITS.conversationEntryBytes;
  return {
    from,
    ...optional('actionId', actionId),
    text: from === 'person' ? own(text, most) : foreign(text, most, redaction),
    ...(quote ? { quote: quotePart({ ...quote, text: quote.text.slice(0, most) }, redaction) } : {}),
  };
}

export const backgroundParts = ({ state, redaction }: SnapshotInput): Picture['background'] =>
  state.background.map(({ role, text }) => ({
    role,
    untrusted: foreign(text, LIMITS.backgroundMessageBytes, redaction),
  }));

/** The newest last, like everything that was said. */
export function memoryParts({ state, memory, redaction }: SnapshotInput): readonly MemoryPart[] {
  if (!state.reuseMemory) return [];
  return memory
    .slice(-LIMITS.memory)
    .map(({ itemId, title, endedAt, type, summary }) => ({
      itemId,
      title: foreign(title, LIMITS.lineBytes, redaction),
      endedAt: new Date(endedAt).toISOString().slice(0, 10),
      type,
      summary: foreign(summary, LIMITS.memoryBytes, redaction),
    }));
}
