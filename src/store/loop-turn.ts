/** How long awaited answers may follow each other before timers and sockets are let in. */
const TURN_EVERY_MS = 8;

/**
 * A store that answers at once answers in microtasks, and a caller that asks on and on would keep the event loop from
 * ever turning: no lease would be renewed meanwhile. So now and then an answer waits for the loop.
 */
export interface LoopTurn {
  /** The loop has not turned for a while, as far as is known here. */
  readonly isDue: () => boolean;
  /** Resolves after the loop has turned. */
  readonly take: () => Promise<void>;
}

export function loopTurn(nowMs: () => number = () => performance.now()): LoopTurn {
  let turnedAtMs = nowMs();
  return {
    isDue: () => nowMs() - turnedAtMs > TURN_EVERY_MS,
    take: () =>
      new Promise((resolve) =>
        setImmediate(() => {
          turnedAtMs = nowMs();
          resolve();
        }),
      ),
  };
}
