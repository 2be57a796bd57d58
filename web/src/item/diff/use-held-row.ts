import { type FocusEvent, useState } from 'react';

const indexAt = (target: EventTarget | null): number =>
  target instanceof Element ? Number(target.closest('[data-index]')?.getAttribute('data-index') ?? -1) : -1;

/**
 * The row that has the focus, by its key, for rows come and go above it: wherever one scrolls it has to stay, or what is
 * typed next goes to the page.
 */
export function useHeldRow(keyAt: (index: number) => string | undefined) {
  const [heldKey, setHeldKey] = useState<string>();
  const hold = {
    onFocus: ({ target }: FocusEvent) => setHeldKey(keyAt(indexAt(target))),
    // Who turns to another window comes back to the same row.
    onBlur: ({ relatedTarget }: FocusEvent) => setHeldKey(keyAt(indexAt(relatedTarget ?? document.activeElement))),
  };
  return { heldKey, hold };
}

/** The rows in sight, and the held one in its order among them. */
export const withHeld = (inSight: readonly number[], held: number): number[] =>
  held < 0 || inSight.includes(held) ? [...inSight] : [...inSight, held].sort((a, b) => a - b);
