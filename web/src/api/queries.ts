import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Lane, Proof } from '../../../src/client/index.ts';
import { asked, client, Refused } from './client.ts';

/** What may pass by itself; a refusal stands. */
const mayPass = (error: unknown): boolean =>
  error instanceof Refused && (error.problem.status === 0 || error.problem.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The live feed says what has changed; nothing is read again by age.
      staleTime: Number.POSITIVE_INFINITY,
      retry: (failures, error) => failures < 2 && mayPass(error),
      refetchOnWindowFocus: false,
    },
  },
});

export interface BoardFilter {
  readonly search: string;
  readonly directory: string;
}

const PAGE = 50;

/** A lane of the board, page by page. */
export const laneQuery = (lane: Lane, { search, directory }: BoardFilter) =>
  infiniteQueryOptions({
    queryKey: ['items', lane, { search, directory }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items', {
          signal,
          params: {
            query: {
              lane,
              limit: PAGE,
              ...(search === '' ? {} : { q: search }),
              ...(directory === '' ? {} : { directory }),
              ...(pageParam === undefined ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

export const facetsQuery = queryOptions({
  queryKey: ['facets'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/work-items/facets', { signal, params: { query: {} } })),
});

const ofItem = (id: string) => ({ params: { path: { id } } });

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: ['item', id],
    queryFn: ({ signal }) => asked(client.get('/api/v1/work-items/{id}', { signal, ...ofItem(id) })),
  });

/** How much is in each lane, of everything or of one directory. */
export const countsIn = (directory: string) =>
  queryOptions({
    queryKey: ['items', 'counts', directory],
    queryFn: async ({ signal }) => {
      const query = directory === '' ? { limit: 1 } : { limit: 1, directory };
      return (await asked(client.get('/api/v1/work-items', { signal, params: { query } }))).counts;
    },
  });

export const countsQuery = countsIn('');

/** How much waits for a person: as many things as the inbox has lines, for one piece of work may ask several. */
export const waitingQuery = queryOptions({
  queryKey: ['requests', 'total'],
  queryFn: async ({ signal }) =>
    (await asked(client.get('/api/v1/requests', { signal, params: { query: { limit: 1 } } }))).total,
});

/** What was said, newest page first; older pages are read as one scrolls up. */
export const conversationQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'conversation'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/conversation', {
          signal,
          params: { path: { id }, query: { limit: 50, ...(pageParam === undefined ? {} : { before: pageParam }) } },
        }),
      ),
    getNextPageParam: (page) => (page.more ? page.entries[0]?.seq : undefined),
  });

export const requestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['item', id, 'requests'],
    queryFn: ({ signal }) => asked(client.get('/api/v1/work-items/{id}/requests', { signal, ...ofItem(id) })),
  });

export const actionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'actions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/actions', {
          signal,
          params: { path: { id }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

export const actionQuery = (id: string, actionId: string) =>
  queryOptions({
    queryKey: ['item', id, 'actions', actionId],
    queryFn: ({ signal }) =>
      asked(client.get('/api/v1/work-items/{id}/actions/{actionId}', { signal, params: { path: { id, actionId } } })),
  });

export const evidenceQuery = (id: string) =>
  queryOptions({ queryKey: ['item', id, 'evidence'], queryFn: ({ signal }) => allEvidence(id, signal) });

/** Of all criteria; there are few, but their receipts may be long. */
async function allEvidence(id: string, signal: AbortSignal): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const params = { path: { id }, query };
    const page = await asked(client.get('/api/v1/work-items/{id}/evidence', { signal, params }));
    proofs.push(...page.criteria);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return proofs;
}
