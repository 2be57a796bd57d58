import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Load<P> = () => Promise<ComponentType<P>>;

const waiting: (() => Promise<unknown>)[] = [];

/** A part of the page that is not needed for the first paint. It comes when it is visited, or when there is time. */
export function later<P>(load: Load<P>): LazyExoticComponent<ComponentType<P>> {
  waiting.push(load);
  return lazy(async () => ({ default: await load() }));
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 5_000 });
    else setTimeout(resolve, 1_000);
  });

/** Fetches what comes later while nobody waits for it: then a click is answered at once, also without a server. */
export async function fetchLater(): Promise<void> {
  for (let load = waiting.shift(); load; load = waiting.shift()) {
    await idle();
    // What cannot be had now is fetched when it is visited.
    if (
      !(await load().then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}
