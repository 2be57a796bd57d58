import { useEffect, useEffectEvent } from 'react';
import type { Entry } from '../../../../src/client/index.ts';
import type { MessageDraft, Target } from './draft.ts';
import { joined } from './joined.ts';
import { changeDraft } from './message-draft.ts';
import { quoteOf } from './quote.ts';

/** Without a request the composer is meant. */
type Listener = (itemId: string, requestId: string | undefined) => void;
const listeners = new Set<Listener>();

const call = (itemId: string, requestId?: string): void => {
  for (const listener of listeners) listener(itemId, requestId);
};

/** Changes what is being written, and brings the composer to the fore. */
function write(itemId: string, change: (now: MessageDraft) => Partial<MessageDraft>): void {
  changeDraft(itemId, change);
  call(itemId);
}

/** "Message this Action": aims at it; null is the Coordinator. What is being written stays. */
export const writeTo = (itemId: string, target: Target | null): void => write(itemId, () => ({ target }));

/** "Quote it": the next words are about these. */
export const writeAbout = (itemId: string, entry: Entry): void => write(itemId, () => ({ quote: quoteOf(entry) }));

/** Takes words of before into the composer, to be sent with a change, or to another. */
export const writeAnew = (itemId: string, taken: Partial<MessageDraft>): void =>
  write(itemId, (now) => joined(now, taken));

/** "Answer it": brings the request to the fore; what is being written to others, and to whom, stays as it is. */
export const answerTo = (itemId: string, requestId: string): void => call(itemId, requestId);

function useCalls(itemId: string, called: Listener): void {
  const hear = useEffectEvent<Listener>((id, requestId) => {
    if (id === itemId) called(id, requestId);
  });
  useEffect(() => {
    const listener: Listener = (id, requestId) => hear(id, requestId);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}

/** Hears that somebody wants to write about this item. */
export const useWriteTo = (itemId: string, wanted: () => void): void =>
  useCalls(itemId, (_id, requestId) => requestId ?? wanted());

/** Hears that somebody wants to answer a request of this item. */
export const useAnswerTo = (itemId: string, wanted: (requestId: string) => void): void =>
  useCalls(itemId, (_id, requestId) => requestId && wanted(requestId));
