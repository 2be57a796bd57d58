import { queryOptions } from '@tanstack/react-query';
import type { NewDelivery } from '../../../src/client/index.ts';
import { asked, client } from '../api/client.ts';

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
