import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ClientProblem, Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { conversationQuery, requestsQuery } from '../../api/queries.ts';
import { actionPageQuery, timelineQuery } from '../actions/queries.ts';
import { decisionsQuery } from './decisions-query.ts';
import { storyQuery } from './story-query.ts';
import { streamParts } from './stream-parts.ts';

interface Read {
  readonly data: unknown;
  readonly error: Error | null;
  readonly isError: boolean;
  readonly refetch: () => Promise<unknown>;
}

/** What could not be read, and how to try again. */
export interface Unread {
  readonly problem: ClientProblem;
  readonly again: () => void;
}

/** That the server is away is told elsewhere; what was read before stands meanwhile. */
const isMissing = ({ data, error }: Read): boolean =>
  error !== null && (data === undefined || problemOf(error).status !== 0);

/** The first of several things that are missing in one place. */
function unreadOf(reads: readonly Read[]): Unread | undefined {
  const missing = reads.filter(isMissing);
  if (!missing[0]) return undefined;
  return {
    problem: problemOf(missing[0].error),
    again: () => {
      for (const { refetch } of missing) void refetch();
    },
  };
}

/** All that stands in the conversation of an item, from wherever it is read. */
export function useStream(item: Item) {
  const { id, contractVersion } = item;
  const asks = item.counts.requests > 0;
  const talk = useInfiniteQuery(conversationQuery(id));
  const requests = useQuery({ ...requestsQuery(id), enabled: asks });
  const actions = useQuery(actionPageQuery(id, undefined));
  const timeline = useInfiniteQuery(timelineQuery(id));
  // As long as nothing was changed it says itself how it began.
  const isChanged = contractVersion > 1;
  const story = useQuery({ ...storyQuery(id, contractVersion), enabled: isChanged });
  const decided = useQuery(decisionsQuery(id));
  const decisions = decided.data ?? [];
  const entries = (talk.data?.pages ?? []).toReversed().flatMap((page) => page.entries);
  const spans = (timeline.data?.pages ?? []).flatMap((page) => page.spans);
  const lines = actions.data?.actions ?? [];
  const changes = isChanged ? (story.data?.changes ?? []) : [];
  return {
    ...{ talk, entries, spans, decisions, actions: lines },
    parts: streamParts(entries, lines, spans, !talk.hasNextPage, changes, decisions),
    /** How it began; undefined until that is known. */
    goal: isChanged ? story.data : { goal: item.goal, at: item.createdAt },
    open: asks ? (requests.data?.requests ?? []) : [],
    isLoading: talk.isPending || (asks && requests.isPending),
    unread: {
      talk: unreadOf([talk, decided, ...(isChanged ? [story] : [])]),
      work: unreadOf([...(asks ? [requests] : []), actions, timeline]),
    },
  };
}
