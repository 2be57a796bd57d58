import { useMemo } from 'react';
import { singly } from './singly.ts';

interface Doing<Variables> {
  readonly mutateAsync: (variables: Variables) => Promise<unknown>;
}

/** For what has no key under which it counts once: a second click may come before the page shows the first. */
export function useSingle<Variables>({ mutateAsync }: Doing<Variables>): (variables: Variables) => void {
  return useMemo(() => singly(mutateAsync), [mutateAsync]);
}
