import type { World } from '../world.ts';

/** Another process may be the one that changes it. */
const POLL_MS = 1_000;

/** Resolves when the item has changed, after a second at the latest, or when the signal is given. */
export function untilChanged(world: World, itemId: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, POLL_MS);
    const unsubscribe = world.store.onCommit((state) => {
      if (state.id === itemId) done();
    });
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
