import type { Store } from '../../store/store.ts';

/** Waits for something to look at: a commit here, or the next look at what other processes did. */
export interface Waiter {
  readonly ended: boolean;
  /** `quiet`: so long nothing has come that a sign of life is due. */
  next(): Promise<'changed' | 'quiet'>;
  /** Lets go of everything; may be called twice. */
  end(): void;
}

/** How soon a commit of another process is seen. */
const POLL_MS = 1_000;

/** One per stream. A commit that comes while nobody waits is not missed. */
export function newWaiter(store: Store, heartbeatMs: number, closing: AbortSignal): Waiter {
  let ended = closing.aborted;
  let isDue = false;
  let wake: () => void = () => undefined;
  let quietSinceMs = performance.now();
  const stir = (): void => {
    isDue = true;
    wake();
  };
  const end = (): void => {
    ended = true;
    unsubscribe();
    closing.removeEventListener('abort', end);
    wake();
  };
  const unsubscribe = store.onCommit(stir);
  closing.addEventListener('abort', end, { once: true });
  return {
    get ended() {
      return ended;
    },
    end,
    async next() {
      if (!isDue && !ended) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (isDue) quietSinceMs = performance.now();
      isDue = false;
      if (performance.now() - quietSinceMs < heartbeatMs) return 'changed';
      quietSinceMs = performance.now();
      return 'quiet';
    },
  };
}
