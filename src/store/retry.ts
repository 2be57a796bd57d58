/** How long a caller waits for the write lock, without blocking its thread (architecture, "SQLite"). */
export interface Patience {
  /** Sum of all waits after which the store counts as busy. */
  readonly limitMs: number;
  readonly firstMs: number;
  readonly maxMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
}

export const DEFAULT_PATIENCE: Patience = Object.freeze({
  limitMs: 30_000,
  firstMs: 1,
  maxMs: 50,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
});

/** The wait before try `attempt` (from 0): doubling up to the bound, spread over half to all of it. */
export const waitMs = (attempt: number, { firstMs, maxMs, random }: Patience): number =>
  Math.max(1, Math.min(firstMs * 2 ** Math.min(attempt, 20), maxMs) * (0.5 + random() / 2));

/**
 * Repeats `work` while it throws what `mayRetry` accepts, until the waits add up to the limit; then the last error
 * is thrown. `work` must leave nothing behind when it throws.
 */
export async function retryWhile<T>(
  work: () => T | Promise<T>,
  mayRetry: (error: unknown) => boolean,
  patience: Patience,
): Promise<T> {
  let waitedMs = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!mayRetry(error) || waitedMs >= patience.limitMs) throw error;
    }
    const ms = waitMs(attempt, patience);
    waitedMs += ms;
    await patience.sleep(ms);
  }
}
