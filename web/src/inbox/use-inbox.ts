import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { InboxLine } from '../../../src/client/index.ts';
import { inOrder, keyOf } from './line-key.ts';
import { inboxQuery } from './queries.ts';

/** How long the result of an answer is shown before its line leaves. */
const SHOWN_MS = 2_500;

export interface ShownLine {
  readonly line: InboxLine;
  readonly key: string;
  /** What it was answered with, for a moment. */
  readonly result?: string;
}

type Settled = ReadonlyMap<string, Required<ShownLine>>;

/** What waits, with what was just answered still in its place. */
function merged(lines: readonly InboxLine[], settled: Settled): readonly ShownLine[] {
  const open = lines.map((line) => ({ line, key: keyOf(line) }));
  const kept = [...settled.values()];
  const others = open.filter(({ key }) => !settled.has(key));
  return [...others, ...kept].sort((a, b) => inOrder(a.line, b.line));
}

/** The inbox as it is shown. `settle` tells it that a line was answered from here. */
export function useInbox() {
  const query = useInfiniteQuery(inboxQuery);
  const [settled, setSettled] = useState<Settled>(new Map());
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const lines = merged(query.data?.pages.flatMap((page) => page.lines) ?? [], settled);
  const settle = (line: InboxLine, result: string): void => {
    const key = keyOf(line);
    setSettled((before) => new Map(before).set(key, { line, key, result }));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setSettled((before) => new Map([...before].filter(([other]) => other !== key)));
    }, SHOWN_MS);
    timers.current.add(timer);
  };
  return { query, lines, settle };
}
