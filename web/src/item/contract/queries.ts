import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { asked, client } from '../../api/client.ts';

export const contractQuery = (id: string) =>
  queryOptions({
    queryKey: ['item', id, 'contract'],
    queryFn: ({ signal }) =>
      asked(client.get('/api/v1/work-items/{id}/contract', { signal, params: { path: { id } } })),
  });

/** What once was never changes: it is read again only under another version of the contract, not with every event. */
export const versionsQuery = (id: string, contractVersion: number) =>
  infiniteQueryOptions({
    queryKey: ['contract-versions', id, contractVersion],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      asked(
        client.get('/api/v1/work-items/{id}/contract/versions', {
          signal,
          params: { path: { id }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });
