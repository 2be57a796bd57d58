import { useSyncExternalStore } from 'react';
import { skewAfter } from './clock-skew.ts';

/** By how many milliseconds the server's clock is ahead of this one. */
let skew = 0;
const listeners = new Set<() => void>();

/** Learns from an answer what time it is where things happen. All of epoch milliseconds. */
export function learnClock(response: Response, askedAt: number): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const next = skewAfter(skew, date, askedAt, Date.now());
  if (next === skew) return;
  skew = next;
  for (const listener of listeners) listener();
}

/** Now, by the clock that dated all that is shown; that of the browser may be hours off. */
export const serverNow = (): number => Date.now() + skew;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Changes when the clocks were found to differ otherwise than was known. */
export const useClockSkew = (): number => useSyncExternalStore(subscribe, () => skew);
