import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many in so long, for each caller. */
export interface RateLimit {
  readonly points: number;
  readonly perMs: number;
}

export interface RateLimits {
  readonly reads: RateLimit;
  readonly writes: RateLimit;
  /** Requests with a token that is none, by address. */
  readonly failures: RateLimit;
}

export const RATE_LIMITS: RateLimits = Object.freeze({
  reads: { points: 200, perMs: 1_000 },
  writes: { points: 100, perMs: 5_000 },
  failures: { points: 10, perMs: 60_000 },
});

/** Counts one request; answers after how many milliseconds another one may come, or undefined when this one is fine. */
export type Meter = (key: string) => Promise<number | undefined>;

function meterOf({ points, perMs }: RateLimit): Meter {
  const limiter = new RateLimiterMemory({ points, duration: perMs / 1_000 });
  return async (key) => {
    try {
      await limiter.consume(key);
      return undefined;
    } catch (over) {
      // It rejects with the count where there were too many, and with an error where it is broken.
      if (over instanceof RateLimiterRes) return Math.max(1, over.msBeforeNext);
      throw over;
    }
  };
}

/** Counts in memory: another process, or the next start, counts anew. */
export const metersOf = (limits: RateLimits): Readonly<Record<keyof RateLimits, Meter>> => ({
  reads: meterOf(limits.reads),
  writes: meterOf(limits.writes),
  failures: meterOf(limits.failures),
});
