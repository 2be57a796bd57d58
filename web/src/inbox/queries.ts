import { infiniteQueryOptions } from '@tanstack/react-query';
import { asked, client } from '../api/client.ts';

const PAGE = 50;

/** Everything that waits for a person, oldest first. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: ['requests', 'inbox'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) =>
    asked(
      client.get('/api/v1/requests', {
        signal,
        params: { query: { limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) } },
      }),
    ),
  getNextPageParam: (page) => page.nextCursor,
});
