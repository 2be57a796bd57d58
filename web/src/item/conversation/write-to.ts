import { useEffect, useEffectEvent } from 'react';
import { aim, type Target } from './target.ts';

const listeners = new Set<(itemId: string) => void>();

/** "Message this Action": aims at it and brings the composer to the fore, where the words are written. */
export function writeTo(itemId: string, target: Target): void {
  aim(itemId, target);
  for (const listener of listeners) listener(itemId);
}

/** Hears that somebody wants to write about this item. */
export function useWriteTo(itemId: string, wanted: () => void): void {
  const hear = useEffectEvent((id: string) => {
    if (id === itemId) wanted();
  });
  useEffect(() => {
    const listener = (id: string): void => hear(id);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}
