import { useState } from 'react';
import type { Request } from '../../../../src/client/index.ts';
import { draftKey } from '../../inbox/use-answer.ts';
import type { AskedThing, Decision } from './decisions.ts';
import { draftOf, keepDraft } from './drafts.ts';

/** Something that waits, or that was in sight and no longer waits though nobody answered it here. */
export type Ask =
  | { readonly request: Request; readonly isOpen: true }
  | { readonly request: AskedThing; readonly isOpen: false };

const numberOf = ({ request }: Ask): number => Number(request.id.slice(1));

/** Those of now with those that left by themselves, each where it stood. `hidden` are done with here. */
export function asksOf(
  open: readonly Request[],
  seen: readonly AskedThing[],
  hidden: ReadonlySet<string>,
): readonly Ask[] {
  const isThere = new Set(open.map(({ id }) => id));
  const left = seen.filter(({ id }) => !isThere.has(id) && !hidden.has(id));
  return [
    ...open.map((request) => ({ request, isOpen: true }) as const),
    ...left.map((request) => ({ request, isOpen: false }) as const),
  ].toSorted((a, b) => numberOf(a) - numberOf(b));
}

/**
 * What stands above the composer. A card does not vanish under a hand, with words in it that were not sent, and leave
 * its place to another question: it stays until it is dismissed. So do words that a reload found without their question.
 */
export function useAsks(itemId: string, open: readonly Request[], decisions: readonly Decision[], isOver: boolean) {
  const [seen, setSeen] = useState<readonly Request[]>([]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const fresh = open.filter(({ id }) => !seen.some((known) => known.id === id));
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  const hasWords = ({ id }: AskedThing): boolean => draftOf(draftKey(itemId, id)) !== '';
  const orphans = decisions
    .map(({ request }) => request)
    .filter((request) => !seen.some(({ id }) => id === request.id) && hasWords(request));
  // What ended with the work needs no card to say so, unless words would be lost with it.
  const kept = [...seen, ...orphans].filter((request) => !isOver || hasWords(request));
  const hide = (requestId: string): void => setHidden((before) => new Set(before).add(requestId));
  return {
    asks: asksOf(open, kept, hidden),
    answered: hide,
    dismiss: (requestId: string): void => {
      keepDraft(draftKey(itemId, requestId), '');
      hide(requestId);
    },
  };
}
