/** Waits for something to look at. A stir that comes while nobody waits is not missed. */
export interface Waiter {
  readonly ended: boolean;
  stir(): void;
  /** `quiet`: nothing stirred for so long that a sign of life is due; milliseconds. */
  next(patienceMs: number): Promise<'changed' | 'quiet'>;
  /** Whoever waits, waits no more; may be called twice. */
  end(): void;
}

/** One per stream; `closing` ends it. */
export function newWaiter(closing: AbortSignal): Waiter {
  let ended = closing.aborted;
  let isDue = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    ended = true;
    closing.removeEventListener('abort', end);
    wake();
  };
  closing.addEventListener('abort', end, { once: true });
  return {
    get ended() {
      return ended;
    },
    end,
    stir() {
      isDue = true;
      wake();
    },
    async next(patienceMs) {
      if (!isDue && !ended) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patienceMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const found = isDue || ended ? 'changed' : 'quiet';
      isDue = false;
      return found;
    },
  };
}
