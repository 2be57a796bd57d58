import { queryOptions } from '@tanstack/react-query';
import type { NewDelivery } from '../../../src/client/index.ts';
import { asked, client } from '../api/client.ts';
import { isWholePath } from './compile-form.ts';

export const forecastQuery = (criteria: number, target: NewDelivery['target']) =>
  queryOptions({
    // Finished work makes the next estimate better.
    queryKey: ['items', 'forecast', criteria, target],
    queryFn: ({ signal }) => asked(client.get('/api/v1/forecast', { signal, params: { query: { criteria, target } } })),
  });

/** The limits of the installation, which hold where none is named. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'usual'],
  queryFn: ({ signal }) => asked(client.get('/api/v1/settings', { signal })),
});

/** What a directory says of itself; that it cannot be looked at is not worth a word, for it can still be typed. */
export const suggestionsQuery = (directory: string) =>
  queryOptions({
    queryKey: ['suggestions', directory],
    queryFn: ({ signal }) =>
      asked(client.get('/api/v1/suggestions', { signal, params: { query: { directory: directory.trim() } } })),
    enabled: isWholePath(directory),
    retry: false,
  });
