import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InboxLine } from '../../../src/client/index.ts';
import { inOrder, keyOf, sinceOf } from './line-key.ts';
import { inboxQuery } from './queries.ts';

export interface ShownLine {
  readonly line: InboxLine;
  readonly key: string;
  /** What it was answered with from here. */
  readonly result?: string;
}

type Settled = ReadonlyMap<string, Required<ShownLine>>;

/** An item may be held again: that is another hold. */
const isThat = (settled: Required<ShownLine> | undefined, line: InboxLine): settled is Required<ShownLine> =>
  settled !== undefined && sinceOf(settled.line) === sinceOf(line);

/**
 * What waits. What was answered from here says so, and keeps its place for as long as it is looked at: nothing else
 * comes under a hand that has just answered.
 */
export function merged(
  lines: readonly InboxLine[],
  settled: Settled,
  looksAt: string | undefined,
): readonly ShownLine[] {
  const open = lines.map((line): ShownLine => {
    const key = keyOf(line);
    const known = settled.get(key);
    return isThat(known, line) ? known : { line, key };
  });
  const kept = [...settled.values()].filter(({ key }) => key === looksAt && !open.some((line) => line.key === key));
  return [...open, ...kept].sort((a, b) => inOrder(a.line, b.line));
}

/** The inbox as it is shown. `settle` tells it that a line was answered from here. */
export function useInbox(looksAt: string | undefined) {
  const query = useInfiniteQuery(inboxQuery);
  const [settled, setSettled] = useState<Settled>(new Map());
  const lines = merged(query.data?.pages.flatMap((page) => page.lines) ?? [], settled, looksAt);
  const settle = (line: InboxLine, result: string): void => {
    const key = keyOf(line);
    setSettled((before) => new Map(before).set(key, { line, key, result }));
  };
  return { query, lines, settle };
}
