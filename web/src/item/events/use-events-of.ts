import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Event } from '../../../../src/client/index.ts';
import { asked, client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { EventPages } from './use-events.ts';

const MOST_EVENTS = 1_000;

/** Events of some types, and how far the stream was looked through for them. */
interface Found {
  readonly upTo: number;
  readonly events: readonly Event[];
}

const NOTHING: Found = { upTo: 0, events: [] };

/** What was found before the stream grew: only what came since is asked for. */
function knownOf(id: string, types: readonly string[]): Found | undefined {
  const kept = queryClient.getQueriesData<Found>({ queryKey: ['events', id, 'of', types] });
  return kept
    .flatMap(([, found]) => found ?? [])
    .toSorted((a, b) => a.upTo - b.upTo)
    .at(-1);
}

/** The server looks for them; a page ends before its bytes do. */
async function readOn(id: string, types: readonly string[], total: number, signal: AbortSignal): Promise<Found> {
  const known = knownOf(id, types) ?? NOTHING;
  const events = [...known.events];
  let after = known.upTo;
  for (let more = true; more; ) {
    const query = { after, limit: MOST_EVENTS, type: [...types] };
    const page = await asked(client.get('/api/v1/work-items/{id}/events', { signal, params: { path: { id }, query } }));
    events.push(...page.events);
    after = page.events.at(-1)?.seq ?? after;
    more = page.more;
  }
  return { upTo: Math.max(total, after), events };
}

const foundQuery = (id: string, types: readonly string[], total: number) =>
  queryOptions({
    queryKey: ['events', id, 'of', types, total],
    queryFn: ({ signal }) => readOn(id, types, total, signal),
    placeholderData: () => knownOf(id, types),
  });

/** All events of some types, of an item that has `total` events. */
export function useEventsOf(
  id: string,
  total: number,
  types: readonly string[],
): EventPages & { readonly found: readonly Event[] } {
  const { data, isPending, isPlaceholderData, error, refetch } = useQuery(foundQuery(id, types, total));
  const found = data?.events ?? [];
  const bySeq = new Map(found.map((event) => [event.seq, event]));
  return {
    found,
    at: (seq) => bySeq.get(seq),
    isReading: isPending || isPlaceholderData,
    error,
    again: () => void refetch(),
  };
}
