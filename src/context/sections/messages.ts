import { type Cuts, capOf } from '../cuts.ts';
import { addText, counted, type Draft, leaveOut, newDraft } from '../draft.ts';
import type { MainlineInput, MessageView } from '../mainline-input.ts';
import { oneLine } from '../untrusted.ts';

const LATEST_BYTES = 8_192;
const NAMES_BYTES = 2_048;
const ORDER =
  'Oldest first. Where two disagree, the later one holds. Quotes are what a message is about, not part of it.';

/**
 * Guidance and messages to this Action. When room is short the newest stay, in the order of time (M8); the latest
 * text is never left out.
 */
export function messagesSection({ messages }: MainlineInput, cuts: Cuts): Draft {
  const draft = newDraft('Messages to you');
  const latest = messages.at(-1);
  if (latest === undefined) return draft;
  draft.parts.push(ORDER);
  const older = messages.slice(0, -1);
  const unquoted = withoutQuotes(older, cuts.quotes);
  for (const message of older.slice(cuts.messages)) addMessage(draft, message, { quote: !unquoted.has(message) });
  addMessage(draft, latest, { quote: cuts.latestQuote === 0, maxBytes: capOf(cuts, 'latest', LATEST_BYTES) });
  leaveOut(draft, Math.min(cuts.messages, older.length), (n) => `the ${counted(n, 'oldest message')}`);
  const kept = older.slice(cuts.messages).filter((message) => unquoted.has(message)).length;
  leaveOut(draft, kept + cuts.latestQuote, (n) => `what ${counted(n, 'message')} quoted`);
  return draft;
}

/** The oldest `count` messages that quote something. */
const withoutQuotes = (older: readonly MessageView[], count: number): ReadonlySet<MessageView> =>
  new Set(older.filter(({ quote }) => quote).slice(0, count));

function addMessage(draft: Draft, message: MessageView, options: { quote: boolean; maxBytes?: number }): void {
  const { id, text, quote, attachments } = message;
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  addText(draft, '', { tag: 'task', source: `message ${id}`, text, maxBytes });
  if (quote && options.quote)
    addText(draft, '', { tag: 'untrusted', source: `${quote.from}, quoted by ${id}`, text: quote.text });
  if (attachments.length > 0) {
    const names = attachments.map((name) => `attachment:${name}`).join(', ');
    addText(draft, '', { tag: 'untrusted', source: `attached to ${id}`, text: oneLine(names, NAMES_BYTES) });
  }
}
