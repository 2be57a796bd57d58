import { type FocusEvent, useState } from 'react';

/** Whether somebody writes in a form of what `watch` is given to. At another place nobody does yet. */
export function useWriting(place: string) {
  const [writtenAt, setWrittenAt] = useState<string>();
  const follow = (within: Element, target: EventTarget | null): void => {
    const isForm = target instanceof Element && target.closest('form') !== null && within.contains(target);
    setWrittenAt(isForm ? place : undefined);
  };
  const watch = {
    onFocus: ({ currentTarget, target }: FocusEvent) => follow(currentTarget, target),
    // Who turns to another window comes back to the same box.
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      follow(currentTarget, relatedTarget ?? document.activeElement),
  };
  return { isWriting: writtenAt === place, watch };
}
