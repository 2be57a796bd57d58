import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { asked, client } from '../../api/client.ts';
import { readContent } from '../../api/content.ts';

/** One page of Actions: a list of thousands reads again only the pages in sight. */
export const actionPageQuery = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['item', id, 'actions', 'page', cursor ?? ''],
    queryFn: ({ signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/actions', {
          signal,
          params: { path: { id }, query: cursor === undefined ? {} : { cursor } },
        }),
      ),
  });

/** Runs of an Action, newest first. */
export const runsQuery = (id: string, actionId: string) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'actions', actionId, 'runs'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/actions/{actionId}/runs', {
          signal,
          params: { path: { id, actionId }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

export const runQuery = (id: string, actionId: string, runId: string) =>
  queryOptions({
    queryKey: ['item', id, 'actions', actionId, 'runs', runId],
    queryFn: ({ signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}', {
          signal,
          params: { path: { id, actionId, runId } },
        }),
      ),
  });

/** Model requests of a Run, newest page first. */
export const callsQuery = (id: string, owner: string) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'calls', owner],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/calls', {
          signal,
          params: {
            path: { id },
            query: { owner, limit: 50, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

/** What ran when, newest page first. */
export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/timeline', {
          signal,
          params: { path: { id }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

/** The text behind a hash. It never changes, so it is never read again. */
export const contentQuery = (id: string, hash: string) =>
  queryOptions({
    queryKey: ['content', id, hash],
    queryFn: async ({ signal }) => new TextDecoder().decode((await readContent(id, hash, { signal })).bytes),
    // A prompt may have megabytes: what is out of sight for so long is read again.
    gcTime: 60_000,
  });
