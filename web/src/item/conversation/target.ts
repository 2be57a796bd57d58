import { useSyncExternalStore } from 'react';

/** An Action that is written to, at the generation that was seen. */
export interface Target {
  readonly actionId: string;
  readonly generation: number;
  readonly name: string;
}

/** By item; none is the Coordinator. Looking at an Action never changes it, only "message this Action" does. */
const targets = new Map<string, Target>();
const listeners = new Set<() => void>();

export function aim(itemId: string, target: Target | undefined): void {
  if (target) targets.set(itemId, target);
  else targets.delete(itemId);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTarget = (itemId: string): Target | undefined =>
  useSyncExternalStore(subscribe, () => targets.get(itemId));
