/** Time that a Run spends working: what it may use, and what it has used. */
export interface ActiveTime {
  /** Given when the limit is reached. */
  readonly signal: AbortSignal;
  /** Does something that does not count, such as waiting for a person. */
  without<T>(work: () => Promise<T>): Promise<T>;
  usedMs(): number;
  stop(): void;
}

/** Longer delays overflow a timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A clock that stands still while somebody else is waited for (D16). */
export function activeTime(limitMs: number, nowMs: () => number = () => performance.now()): ActiveTime {
  const limit = new AbortController();
  let usedMs = 0;
  let sinceMs: number | undefined = nowMs();
  let timer: NodeJS.Timeout | undefined;
  const used = (): number => usedMs + (sinceMs === undefined ? 0 : nowMs() - sinceMs);
  const run = (): void => {
    sinceMs = nowMs();
    const leftMs = Math.min(Math.max(0, limitMs - usedMs), TIMER_MAX_MS);
    timer = setTimeout(() => limit.abort(new Error('the time limit was reached')), leftMs);
  };
  const rest = (): void => {
    usedMs = used();
    sinceMs = undefined;
    clearTimeout(timer);
  };
  run();
  return {
    signal: limit.signal,
    usedMs: used,
    stop: rest,
    async without(work) {
      rest();
      try {
        return await work();
      } finally {
        run();
      }
    },
  };
}
