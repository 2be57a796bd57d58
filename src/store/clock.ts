/** Milliseconds that only grow, whatever is done to the machine's clock. */
const monotonicMs = (): number => performance.now();

/**
 * A clock that never runs backwards. After a step back it goes on from the largest instant it has seen, at half
 * speed, until the machine's clock has caught up: no lease is granted in the past, no event is older than its
 * predecessor, and yet a back-off of a second does not last as long as the step. A step forward is believed; owners
 * and sweeper guard against it (D8). Whole milliseconds since the epoch.
 */
export function steadyClock(now: () => number, elapsedMs: () => number = monotonicMs): () => number {
  let last = Number.NEGATIVE_INFINITY;
  let anchor = { at: last, elapsedMs: 0 };
  return () => {
    const real = Math.floor(now());
    const passedMs = elapsedMs();
    if (real >= last) anchor = { at: real, elapsedMs: passedMs };
    last = Math.max(last, real, anchor.at + Math.floor((passedMs - anchor.elapsedMs) / 2));
    return last;
  };
}
