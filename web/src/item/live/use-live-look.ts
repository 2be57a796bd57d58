import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { useItemStream } from './use-item-stream.ts';

/** Between two looks at least. */
const LEAST_MS = 2_000;
/** When nothing is heard of the work, files may change all the same. */
const QUIET_MS = 8_000;
/** A look that takes long is made seldom. */
const SHARE = 4;

export interface Look<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
}

/**
 * Something that moves, looked at again when the item moves or its Run prints, and now and then when it is still: at
 * most every two seconds, and only while it is in sight of somebody. What was seen last stays when a look fails.
 */
export function useLiveLook<T>(item: Item, { queryKey, queryFn }: Look<T>, isSeen: boolean): UseQueryResult<T> {
  const heard = useItemStream(item.id);
  const pace = useRef({ endedAt: 0, tookMs: 0 });
  const result = useQuery({
    queryKey,
    queryFn: async (context) => {
      const begunAt = performance.now();
      try {
        return await queryFn(context);
      } finally {
        const endedAt = performance.now();
        pace.current = { endedAt, tookMs: endedAt - begunAt };
      }
    },
    enabled: isSeen,
    // Whoever comes back sees what is there now.
    staleTime: LEAST_MS,
    retry: false,
    refetchInterval: ({ state }) =>
      state.error && problemOf(state.error).status === 404 ? false : Math.max(QUIET_MS, SHARE * pace.current.tookMs),
  });
  const again = useEffectEvent(() => {
    if (!document.hidden) void result.refetch({ cancelRefetch: false });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is heard is the reason to look
  useEffect(() => {
    if (!isSeen) return undefined;
    const { endedAt, tookMs } = pace.current;
    const wait = endedAt + Math.max(LEAST_MS, SHARE * tookMs) - performance.now();
    const timer = setTimeout(again, Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [heard, item.version, isSeen]);
  return result;
}
