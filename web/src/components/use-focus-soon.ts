import { type RefObject, useEffect, useState } from 'react';

type FocusPart = (key: string, part: string) => void;

/**
 * Focus follows a row (`data-key`) to its new place, comes to one that has just been made, and to the neighbour of one
 * that has gone; there to the same `data-part`, else to its text.
 */
export function useFocusSoon(list: RefObject<HTMLElement | null>): FocusPart {
  const [wanted, setWanted] = useState<{ readonly key: string; readonly part: string }>();
  useEffect(() => {
    if (!wanted) return;
    const row = list.current?.querySelector(`[data-key="${CSS.escape(wanted.key)}"]`);
    const part = row?.querySelector<HTMLElement>(`[data-part="${CSS.escape(wanted.part)}"]:not(:disabled)`);
    (part ?? row?.querySelector<HTMLElement>('[data-part="text"]'))?.focus();
  }, [wanted, list]);
  return (key, part) => setWanted({ key, part });
}
