const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Pauses between attempts, in milliseconds; after the last one a delivery has failed. About a day in all. */
export const RETRY_AFTER_MS: readonly number[] = Object.freeze([
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  12 * HOUR,
]);

/** Every attempt failed for so long: the webhook is disabled. */
export const GIVE_UP_AFTER_MS = 3 * DAY;

const LONGEST_WAIT_MS = DAY;

function askedFor(header: string, now: number): number {
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  // As HTTP writes dates; the parser would make a date of nearly anything.
  return /^[A-Z][a-z]{2}, .+ GMT$/.test(header) ? Date.parse(header) - now : 0;
}

/** Milliseconds that a receiver asks to be left alone, by `Retry-After` in seconds or as a date; 0 when it does not say. */
export function retryAfterMs(header: string | null | undefined, now: number): number {
  const waitMs = askedFor(header?.trim() ?? '', now);
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS);
}

interface Tried {
  /** Attempts made so far, 1 or more. */
  readonly tries: number;
  readonly now: number;
  readonly askedMs: number;
  /** 0..1, so that receivers that come back are not met by everybody at once. */
  readonly chance: number;
}

/** When to try again; undefined when it was tried often enough. */
export function nextTryAt({ tries, now, askedMs, chance }: Tried): number | undefined {
  const pauseMs = RETRY_AFTER_MS[tries - 1];
  if (pauseMs === undefined) return undefined;
  return now + Math.max(Math.round(pauseMs * (0.9 + 0.2 * chance)), askedMs);
}
