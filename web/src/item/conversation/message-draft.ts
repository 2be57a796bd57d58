import { useSyncExternalStore } from 'react';
import type { Entry } from '../../../../src/client/index.ts';
import type { SentFile } from '../../attachments/sent-file.ts';
import { draftOf, isDraftOf, keepDraft } from './drafts.ts';

/** An Action that is written to, at the generation that was seen. */
export interface Target {
  readonly actionId: string;
  readonly generation: number;
  readonly name: string;
}

/** A message that is being written. All of it is kept in this browser until it is sent. */
export interface MessageDraft {
  readonly text: string;
  readonly files: readonly SentFile[];
  readonly quote: Entry['quote'];
  /** Null is the Coordinator. Looking at an Action never changes it, only somebody's choice does. */
  readonly target: Target | null;
}

const BLANK: MessageDraft = { text: '', files: [], quote: null, target: null };

/** As it was kept; what cannot be read, as by another version, is blank. */
function readDraft(itemId: string): MessageDraft {
  try {
    const kept = JSON.parse(draftOf(itemId)) as Partial<MessageDraft>;
    return typeof kept.text === 'string' ? { ...BLANK, ...kept } : BLANK;
  } catch {
    return BLANK;
  }
}

const isBlank = ({ text, files, quote, target }: MessageDraft): boolean =>
  text === '' && files.length === 0 && quote === null && target === null;

const drafts = new Map<string, MessageDraft>();
const listeners = new Set<() => void>();

function messageDraft(itemId: string): MessageDraft {
  const known = drafts.get(itemId) ?? readDraft(itemId);
  drafts.set(itemId, known);
  return known;
}

export function changeDraft(itemId: string, change: (now: MessageDraft) => Partial<MessageDraft>): void {
  const now = messageDraft(itemId);
  const next = { ...now, ...change(now) };
  drafts.set(itemId, next);
  keepDraft(itemId, isBlank(next) ? '' : JSON.stringify(next));
  for (const listener of listeners) listener();
}

// The tabs of an item show one draft: what is written or sent in another is written or sent here.
window.addEventListener('storage', ({ key }) => {
  for (const itemId of [...drafts.keys()]) if (isDraftOf(itemId, key)) drafts.delete(itemId);
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useMessageDraft = (itemId: string): MessageDraft =>
  useSyncExternalStore(subscribe, () => messageDraft(itemId));
