import { bytesOf, cutBytes } from './cut.ts';
import { type Tag, wrapped } from './untrusted.ts';

/** Something that the text does not say, and how whoever reads it gets it nevertheless. */
export interface Omission {
  readonly what: string;
  /** `size`: the whole would not have fitted; `limit`: there is a fixed bound for this kind. */
  readonly why: 'size' | 'limit';
  readonly how: string;
}

export const ASK = 'ask the person with `ask_human` if you need it';

/** A section while it is written: its paragraphs, and what it leaves out. */
export interface Draft {
  readonly parts: string[];
  readonly omitted: Omission[];
}

export const newDraft = (title: string): Draft => ({ parts: [`# ${title}`], omitted: [] });

/** Nothing but a title is no section. */
export const textOf = (draft: Draft): string => (draft.parts.length > 1 ? draft.parts.join('\n\n') : '');

export function leaveOut(draft: Draft, count: number, what: (count: number) => string, how: string = ASK): void {
  if (count > 0) draft.omitted.push({ what: what(count), why: 'size', how });
}

interface Field {
  readonly tag: Tag;
  readonly source: string;
  readonly text: string | undefined;
  readonly maxBytes?: number;
}

/** A text between tags, cut to its bound; what was cut is noted. Adds nothing for an empty one. */
export function addText(draft: Draft, label: string, field: Field): void {
  const { tag, source, text = '', maxBytes = Number.POSITIVE_INFINITY } = field;
  if (text.trim() === '') return;
  const body = wrapped(tag, source, cutBytes(text, maxBytes));
  draft.parts.push(label === '' ? body : `${label}\n${body}`);
  if (bytesOf(text) > maxBytes) draft.omitted.push({ what: `the end of: ${source}`, why: 'size', how: ASK });
}

/** `3 messages`, `1 message`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A trusted list of names in a sentence; names are bounded by the rules of contract and plan. */
export const named = (names: readonly string[]): string => names.join(', ');
