import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionLine } from '../../../../src/client/index.ts';
import { queryClient } from '../../api/queries.ts';
import { actionPageQuery } from './queries.ts';

/** As the server cuts them. */
const PAGE = 50;

interface Pages {
  /** Undefined for a line that is still on its way. */
  readonly lineAt: (index: number) => ActionLine | undefined;
  /** Lines that are known to be there. */
  readonly known: number;
  readonly total: number | undefined;
  readonly error: unknown;
  /** Says which lines are in sight: their pages are read, and kept up to date. */
  readonly look: (first: number, last: number) => void;
}

/**
 * Thousands of Actions, page by page: each page's cursor comes with the page before. Only pages in sight are watched,
 * so a list of 5,000 that moves costs a page or two, not a hundred.
 */
export function useActionPages(itemId: string): Pages {
  const [{ first, last }, setSeen] = useState({ first: 0, last: 0 });
  const cursors = cursorsOf(itemId, last + 1);
  const watched = cursors
    .map((cursor, page) => ({ cursor, page }))
    .filter(({ page }) => page >= first && page <= last + 1);
  const results = useQueries({ queries: watched.map(({ cursor }) => actionPageQuery(itemId, cursor)) });
  const lineAt = (index: number): ActionLine | undefined => {
    const page = Math.floor(index / PAGE);
    const at = watched.findIndex((each) => each.page === page);
    return results[at]?.data?.actions[index % PAGE];
  };
  return {
    lineAt,
    // All that were read, also those behind what is in sight: a list that one scrolls back in stays as long as it was.
    known: linesBefore(itemId, cursorsOf(itemId, Number.POSITIVE_INFINITY)),
    total: results[0]?.data?.total,
    error: results.find(({ data, error }) => error && !data)?.error,
    look(from, to) {
      const next = { first: Math.floor(from / PAGE), last: Math.floor(to / PAGE) };
      if (next.first !== first || next.last !== last) setSeen(next);
    },
  };
}

const pageAt = (itemId: string, cursor: string | undefined) =>
  queryClient.getQueryData(actionPageQuery(itemId, cursor).queryKey);

/** Cursors of the pages up to the one that was asked for, as far as the pages before them are there. */
function cursorsOf(itemId: string, upTo: number): readonly (string | undefined)[] {
  const cursors: (string | undefined)[] = [undefined];
  while (cursors.length <= upTo) {
    const next = pageAt(itemId, cursors.at(-1))?.nextCursor;
    if (next === undefined) break;
    cursors.push(next);
  }
  return cursors;
}

const linesBefore = (itemId: string, cursors: readonly (string | undefined)[]): number =>
  cursors.reduce((sum, cursor) => sum + (pageAt(itemId, cursor)?.actions.length ?? 0), 0);
