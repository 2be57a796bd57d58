import { queryOptions } from '@tanstack/react-query';
import { asked, client } from '../api/client.ts';

/** Everybody who can carry out Actions; with those of a project where one is named. */
export const vpsQuery = (directory: string) =>
  queryOptions({
    queryKey: ['vps', directory],
    queryFn: ({ signal }) =>
      asked(client.get('/api/v1/vps', { signal, params: { query: directory === '' ? {} : { directory } } })),
  });
