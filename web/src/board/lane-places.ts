import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';

interface Place {
  readonly offset: number;
  /** Of the cards that were measured; of the others there is only an estimate. */
  readonly sizes: VirtualItem[];
}

/** How far down each lane was, by what it showed; for as long as the page lives. */
const places = new Map<string, Place>();

/** Where a list was when it was left, for its options; one who comes back finds it as it was. */
export function placeAt(key: string): {
  readonly initialOffset?: number;
  readonly initialMeasurementsCache?: VirtualItem[];
} {
  const place = places.get(key);
  return place ? { initialOffset: place.offset, initialMeasurementsCache: place.sizes } : {};
}

/** Remembers where the list is when it goes away. */
export function useKeptPlace<Scroller extends Element>(key: string, list: Virtualizer<Scroller, Element>): void {
  useEffect(
    () => () => {
      places.set(key, { offset: list.scrollOffset ?? 0, sizes: list.takeSnapshot() });
    },
    [key, list],
  );
}
