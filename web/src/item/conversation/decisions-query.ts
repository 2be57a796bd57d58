import { queryOptions } from '@tanstack/react-query';
import type { Event } from '../../../../src/client/index.ts';
import { asked, client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { DECISION_TYPES, decisionsOf } from './decisions.ts';

const keyOf = (id: string) => ['item', id, 'decisions'] as const;

/** Events are only added to: each time only those are read that are new. */
async function readOn(id: string, signal: AbortSignal): Promise<readonly Event[]> {
  const events = [...(queryClient.getQueryData<readonly Event[]>(keyOf(id)) ?? [])];
  let isMore = true;
  while (isMore) {
    const query = { type: DECISION_TYPES, after: events.at(-1)?.seq ?? 0, limit: 1_000 };
    const page = await asked(client.get('/api/v1/work-items/{id}/events', { signal, params: { path: { id }, query } }));
    events.push(...page.events);
    isMore = page.more && page.events.length > 0;
  }
  return events;
}

/** What was asked and how it ended, oldest first. */
export const decisionsQuery = (id: string) =>
  queryOptions({ queryKey: keyOf(id), queryFn: ({ signal }) => readOn(id, signal), select: decisionsOf });
