import type { CallEnd, RejectedCode } from './model-response.ts';

/** What to do with a request that did not succeed. */
export type NextTry =
  /** Send the same bytes again after this long. */
  | Readonly<{ kind: 'retry'; afterMs: number }>
  /** Give the worker back and wake the item at `until` (epoch milliseconds); no attempt is charged. */
  | Readonly<{ kind: 'park'; until: number; code: RejectedCode }>
  /** `permanent`: the same request will be refused again. Not permanent: it may have been carried out. */
  | Readonly<{ kind: 'give_up'; permanent: boolean }>;

/** Times in milliseconds. */
export const RETRY = Object.freeze({
  firstMs: 1_000,
  longestMs: 30_000,
  /** Share by which a delay is made longer or shorter, so that many items do not return together. */
  jitter: 0.25,
  /** A provider that asks for more than this is waited for without a worker. */
  patienceMs: 60_000,
  /** After so many tries in place the item is parked. */
  tries: 6,
  firstParkMs: 5 * 60_000,
  longestParkMs: 60 * 60_000,
});

const PERMANENT: ReadonlySet<RejectedCode> = new Set<RejectedCode>([
  'unauthorised',
  'bad_request',
  'model_not_found',
  'not_a_model_api',
  'context_too_long',
]);

/**
 * The plan after a failed try.
 *
 * | End                                  | Plan                                                                      |
 * | ------------------------------------ | ------------------------------------------------------------------------- |
 * | unknown                              | give up: it is never sent again by itself                                 |
 * | rejected, the request is at fault    | give up, permanent                                                        |
 * | rejected, a wait is named, ≤ 60 s    | retry after it                                                            |
 * | rejected, a longer wait is named     | park until then                                                           |
 * | quota exhausted, no wait named       | park 5 minutes, doubling to an hour                                       |
 * | rejected otherwise                   | retry after 1 s, doubling to 30 s; after six tries park as for a quota    |
 *
 * `attempt` counts from 1, `now` is epoch milliseconds, `random01` is in [0, 1).
 */
export function nextTry(
  end: Exclude<CallEnd, { kind: 'responded' }>,
  attempt: number,
  now: number,
  random01: number,
): NextTry {
  if (end.kind === 'unknown') return { kind: 'give_up', permanent: false };
  if (PERMANENT.has(end.code)) return { kind: 'give_up', permanent: true };
  const waitMs = namedWaitMs(end.retryAfterMs, end.resetAt, now);
  const quota = end.code === 'quota_exhausted';
  if (waitMs !== undefined && (quota || waitMs > RETRY.patienceMs))
    return { kind: 'park', until: now + waitMs, code: end.code };
  if (quota) return { kind: 'park', until: now + parkMs(attempt), code: end.code };
  if (attempt > RETRY.tries) return { kind: 'park', until: now + parkMs(attempt - RETRY.tries), code: end.code };
  if (waitMs !== undefined)
    return { kind: 'retry', afterMs: waitMs + Math.round(RETRY.firstMs * RETRY.jitter * random01) };
  return { kind: 'retry', afterMs: spread(doubled(RETRY.firstMs, RETRY.longestMs, attempt), random01) };
}

/** The longer of the two: a reset that is later than the wait is what counts. A moment that has passed says nothing. */
function namedWaitMs(retryAfterMs: number | undefined, resetAt: number | undefined, now: number): number | undefined {
  const longest = Math.max(retryAfterMs ?? 0, resetAt === undefined ? 0 : resetAt - now);
  return longest > 0 ? longest : undefined;
}

const parkMs = (attempt: number): number => doubled(RETRY.firstParkMs, RETRY.longestParkMs, attempt);

const doubled = (firstMs: number, longestMs: number, attempt: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 30));

const spread = (delayMs: number, random01: number): number =>
  Math.round(delayMs * (1 + RETRY.jitter * (2 * random01 - 1)));
