import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Event } from '../../../../src/client/index.ts';
import { asked, client } from '../../api/client.ts';
import { type ContractStory, storyOf } from './contract-story.ts';

/** What says how an item began, and what its contract became. */
const TYPES = ['ItemCreated', 'ItemStarted', 'ContractEdited', 'DeliveryChanged'];

async function readStory(id: string, signal: AbortSignal): Promise<ContractStory> {
  const events: Event[] = [];
  let isMore = true;
  while (isMore) {
    const query = { type: TYPES, after: events.at(-1)?.seq ?? 0, limit: 1_000 };
    const page = await asked(client.get('/api/v1/work-items/{id}/events', { signal, params: { path: { id }, query } }));
    events.push(...page.events);
    isMore = page.more && page.events.length > 0;
  }
  return storyOf(events);
}

/** It grows only with the version of the contract, not with every event. */
export const storyQuery = (id: string, contractVersion: number) =>
  queryOptions({
    queryKey: ['contract-story', id, contractVersion],
    queryFn: ({ signal }) => readStory(id, signal),
    placeholderData: keepPreviousData,
  });
