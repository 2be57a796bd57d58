import { useCallback, useSyncExternalStore } from 'react';
import { queryClient } from '../../api/queries.ts';
import { listen, writingsOf } from './item-stream.ts';
import type { Writing, Writings } from './live-texts.ts';

/**
 * Keeps what is shown of an item up to date while this part is on the page, and tells what is being written for it.
 * However many parts ask, there is one subscription.
 */
export function useItemStream(id: string): Writings {
  const subscribe = useCallback(
    (listener: () => void) => {
      const known = queryClient.getQueryData<{ readonly version: number }>(['item', id]);
      return listen(id, known?.version ?? 0, listener);
    },
    [id],
  );
  return useSyncExternalStore(subscribe, () => writingsOf(id));
}

/** The newest of what is being written that fits; undefined when nobody writes such a thing. */
export function useWriting(id: string, fits: (writing: Writing) => boolean): Writing | undefined {
  return [...useItemStream(id).values()].findLast(fits);
}
