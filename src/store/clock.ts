/**
 * A clock that never runs backwards: the largest instant this process has seen, or now. After a step back time
 * stands still until the machine's clock has caught up, so that no lease is granted in the past and no event is
 * older than its predecessor. A step forward is believed; owners and sweeper guard against it (D8).
 */
export function steadyClock(now: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(last, Math.floor(now()));
    return last;
  };
}
