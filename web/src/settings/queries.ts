import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { asked, client } from '../api/client.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/settings', { signal })),
});

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/models', { signal })),
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/tokens', { signal })),
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/webhooks', { signal })),
});

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/webhooks/{id}/deliveries', {
          signal,
          params: { path: { id }, query: { limit: 20, ...(pageParam === undefined ? {} : { cursor: pageParam }) } },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });

/** Engines come and go without an event. */
const LOOK_MS = 10_000;

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  refetchInterval: LOOK_MS,
  queryFn: ({ signal }) => asked(client.get('/api/v1/workers', { signal })),
});

export const enforcementQuery = queryOptions({
  queryKey: ['enforcement'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/enforcement', { signal })),
});

export const diskQuery = queryOptions({
  queryKey: ['disk'],
  staleTime: 0,
  queryFn: ({ signal }) => asked(client.get('/api/v1/disk', { signal })),
});
