import { queryOptions, useQueries } from '@tanstack/react-query';
import type { Event } from '../../../../src/client/index.ts';
import { asked, client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';

/** Sequences have no gaps, so a page is found without the ones before it; a full one never changes. */
export const PAGE = 100;

/** A page may come in parts, for answers are bounded by bytes. */
async function readPage(id: string, page: number, count: number, signal: AbortSignal): Promise<readonly Event[]> {
  const events: Event[] = [];
  while (events.length < count) {
    const query = { after: page * PAGE + events.length, limit: count - events.length };
    const answer = await asked(
      client.get('/api/v1/work-items/{id}/events', { signal, params: { path: { id }, query } }),
    );
    if (answer.events.length === 0) break;
    events.push(...answer.events);
  }
  return events;
}

/** What was read of a page before it grew; its events are still what they were. */
function knownOf(id: string, page: number): readonly Event[] | undefined {
  const kept = queryClient.getQueriesData<readonly Event[]>({ queryKey: ['events', id, page] });
  return kept.map(([, events]) => events).findLast((events) => events !== undefined);
}

const pageQuery = (id: string, page: number, count: number) =>
  queryOptions({
    queryKey: ['events', id, page, count],
    queryFn: ({ signal }) => readPage(id, page, count, signal),
    placeholderData: () => knownOf(id, page),
  });

export interface EventPages {
  readonly at: (seq: number) => Event | undefined;
  readonly isReading: boolean;
  readonly error: Error | null;
  readonly again: () => void;
}

/** The events of some pages, of an item that has `total` of them. */
export function useEventPages(id: string, total: number, pages: readonly number[]): EventPages {
  const results = useQueries({
    queries: pages.map((page) => pageQuery(id, page, Math.min(PAGE, total - page * PAGE))),
  });
  const found = new Map(pages.map((page, index) => [page, results[index]?.data]));
  return {
    at: (seq) => found.get(Math.floor((seq - 1) / PAGE))?.[(seq - 1) % PAGE],
    isReading: results.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    error: results.find(({ error }) => error)?.error ?? null,
    again: () => {
      for (const { isError, refetch } of results) if (isError) void refetch();
    },
  };
}
