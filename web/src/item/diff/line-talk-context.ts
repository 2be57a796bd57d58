import { useInfiniteQuery } from '@tanstack/react-query';
import { createContext, use, useMemo } from 'react';
import type { Entry, Item } from '../../../../src/client/index.ts';
import { conversationQuery } from '../../api/queries.ts';
import { unsaid } from '../conversation/delivery.ts';
import { type Outgoing, useOutbox } from '../conversation/outbox.ts';
import { useLineDrafts } from './line-drafts.ts';
import { keyOfQuote, type LineQuote } from './place.ts';
import type { DiffSource } from './source.ts';

/** What was said about lines, what is on its way, what is being written: by the keys of lines. */
export interface LineTalk {
  readonly item: Item;
  readonly source: DiffSource;
  readonly said: ReadonlyMap<string, readonly Entry[]>;
  readonly outgoing: ReadonlyMap<string, readonly Outgoing[]>;
  readonly drafts: Readonly<Record<string, string>>;
}

export const LineTalkContext = createContext<LineTalk | undefined>(undefined);

export function useLineTalk(): LineTalk {
  const talk = use(LineTalkContext);
  if (!talk) throw new Error('useLineTalk outside of a diff');
  return talk;
}

/** What else was quoted is about no line, and found at none. */
function byLine<T extends { readonly quote?: LineQuote | null }>(all: readonly T[]) {
  const lines = new Map<string, readonly T[]>();
  for (const each of all) {
    if (!each.quote) continue;
    const key = keyOfQuote(each.quote);
    lines.set(key, [...(lines.get(key) ?? []), each]);
  }
  return lines;
}

export function useLineTalkOf(item: Item, source: DiffSource): LineTalk {
  const talk = useInfiniteQuery(conversationQuery(item.id));
  const outbox = useOutbox(item.id);
  const drafts = useLineDrafts(item.id);
  const entries = useMemo(() => (talk.data?.pages ?? []).toReversed().flatMap((page) => page.entries), [talk.data]);
  const said = useMemo(() => byLine(entries), [entries]);
  const outgoing = byLine(unsaid(outbox, entries));
  return { item, source, said, outgoing, drafts };
}

/** Where the list makes room for talk. */
export const talkedLines = ({ said, outgoing, drafts }: LineTalk): readonly string[] => [
  ...new Set([...said.keys(), ...outgoing.keys(), ...Object.keys(drafts)]),
];
