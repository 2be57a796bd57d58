import type { EntryRow } from '../../store/talk-rows.ts';
import type { Decided } from '../talk.ts';
import type { Paint } from './paint.ts';
import { clean, indent, oneLine, shorten, wrapText } from './text.ts';
import type { View } from './view.ts';
import { ago, iso } from './when.ts';

const MOST_LINES = 6;

function addressee({ author, targetKind, targetId }: EntryRow): string {
  if (author === 'coordinator') return 'Coordinator';
  if (targetKind === 'action') return `you → ${targetId}`;
  return targetKind === 'request' ? `you, to ${targetId}` : 'you';
}

/** On its way, or dropped: what was delivered says nothing of it. */
function deliveryWord({ delivery, detail }: EntryRow, paint: Paint): string {
  switch (delivery) {
    case 'delivered':
      return '';
    case 'queued':
    case 'scheduled':
      return paint.dim(`  ${delivery}`);
    case 'blocked':
    case 'rejected':
      return paint.red(`  not heard: ${oneLine(detail ?? delivery)}`);
  }
}

const extras = ({ quote, attachments }: EntryRow): readonly string[] => [
  ...(quote ? [`> ${oneLine(quote.text)}`] : []),
  ...attachments.map(({ name, mediaType }) => `+ ${oneLine(name)} (${mediaType})`),
];

/** One entry: who to whom and when, then the words. */
export function entryLines(entry: EntryRow, view: View, most = MOST_LINES): readonly string[] {
  const { paint, columns, now } = view;
  const head = `${paint.bold(addressee(entry))} ${paint.dim(ago(entry.at, now))}${deliveryWord(entry, paint)}`;
  const body = clean(entry.text.trim())
    .split('\n')
    .flatMap((line) => wrapText(line, columns - 4));
  const shown =
    body.length > most ? [...body.slice(0, most - 1), paint.dim(`… ${body.length - most + 1} more lines`)] : body;
  const more = extras(entry).map((line) => paint.dim(shorten(line, columns - 4)));
  return [head, ...indent([...(entry.text.trim() === '' ? [] : shown), ...more], '  ')];
}

/** The last words, one line each, for a screen that moves. */
export const entryLine = (entry: EntryRow, { paint, columns }: View): string =>
  `${paint.dim(addressee(entry))}  ${shorten(oneLine(entry.text), columns - 24)}${deliveryWord(entry, paint)}`;

export const conversationLines = (entries: readonly EntryRow[], view: View): readonly string[] =>
  entries.length === 0
    ? []
    : ['', view.paint.bold('Conversation'), ...indent(entries.flatMap((each) => entryLines(each, view)))];

function decidedLines({ at, kinds, reason }: Decided, { paint, columns, now }: View): readonly string[] {
  const what = kinds.map((kind) => kind.replaceAll('_', ' ')).join(', ');
  const [first = '', ...more] = wrapText(oneLine(reason), columns - 6).slice(0, 3);
  return [
    `${what} ${paint.dim(ago(at, now))}`,
    ...indent([first, ...more].filter((line) => line !== '').map(paint.dim), '  '),
  ];
}

export const decisionLines = (decisions: readonly Decided[], view: View): readonly string[] =>
  decisions.length === 0
    ? []
    : ['', view.paint.bold('Decisions'), ...indent(decisions.flatMap((each) => decidedLines(each, view)))];

/** For programs. */
export const entryJson = ({ itemId: _itemId, at, ...entry }: EntryRow): unknown => ({ ...entry, at: iso(at) });
export const decidedJson = ({ at, ...decided }: Decided): unknown => ({ ...decided, at: iso(at) });
