/** How long a provider wants us to wait, as far as it says so. */
export interface Waits {
  readonly retryAfterMs?: number;
  /** Epoch milliseconds. */
  readonly resetAt?: number;
}

/** A reset further away than this is a mistake in units, not a wait. */
const FURTHEST_MS = 32 * 24 * 60 * 60_000;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Header names of the limits; `%` is `remaining` or `reset`. */
const LIMITS = [
  'anthropic-ratelimit-requests-%',
  'anthropic-ratelimit-tokens-%',
  'anthropic-ratelimit-input-tokens-%',
  'anthropic-ratelimit-output-tokens-%',
  'anthropic-ratelimit-unified-%',
  'x-ratelimit-%-requests',
  'x-ratelimit-%-tokens',
  'x-ratelimit-%',
];

const MOMENT = String.raw`(\d{4}-\d{2}-\d{2}(?:[T ]| at )\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?|\d{10,13})`;

/** Sentences and fields in bodies that name the moment of a reset. */
const RESETS_AT = [
  new RegExp(String.raw`resets?[_ ]at"?\s*[:=]?\s*"?${MOMENT}`, 'i'),
  new RegExp(`regain access on ${MOMENT}`, 'i'),
  /limit reached\|(\d{10,13})/i,
];

const RESETS_IN = /resets?_in_seconds"?\s*[:=]\s*"?(\d+(?:\.\d+)?)/i;
const TRY_AGAIN_IN = /(?:try again|retry|resets?) (?:in|after) ((?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)[a-z]*[, ]*)+)/i;

/** Reads `Retry-After` in both forms, the reset headers and what bodies say. `now` is epoch milliseconds. */
export function waitsOf(headers: Readonly<Record<string, string>>, body: string, now: number): Waits {
  const retryAfterMs = retryAfter(headers, now) ?? spoken(TRY_AGAIN_IN, body);
  const resetAt = bodyReset(body, now) ?? headerReset(headers, now);
  return { ...(retryAfterMs !== undefined && { retryAfterMs }), ...(resetAt !== undefined && { resetAt }) };
}

function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exactMs = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (exactMs >= 0) return Math.ceil(exactMs);
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The latest reset among the limits that are used up; where none says what remains, the latest of all. */
function headerReset(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const limits = LIMITS.map((name) => ({
    remaining: headers[name.replace('%', 'remaining')],
    at: momentOf(headers[name.replace('%', 'reset')], now),
  }));
  const known = limits.some(({ remaining }) => remaining !== undefined);
  const counted = known ? limits.filter(({ remaining }) => remaining !== undefined && Number(remaining) <= 0) : limits;
  return latest(counted.map(({ at }) => at));
}

function bodyReset(body: string, now: number): number | undefined {
  for (const pattern of RESETS_AT) {
    const at = momentOf(pattern.exec(body)?.[1]?.replace(' at ', ' '), now);
    if (at !== undefined) return at;
  }
  const seconds = RESETS_IN.exec(body)?.[1];
  return seconds === undefined ? undefined : plausible(now + Number(seconds) * 1_000, now);
}

/** A date, epoch seconds or milliseconds, a number of seconds, or a duration such as `6m0.5s`. */
function momentOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return plausible(fromNumber(Number(text), now), now);
  const duration = durationMs(text);
  if (duration !== undefined) return plausible(now + duration, now);
  const zoned = /(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  return plausible(Date.parse(zoned.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T').replace(/\s?(UTC|GMT)$/, 'Z')), now);
}

function fromNumber(value: number, now: number): number {
  if (value >= 1e12) return value;
  return value >= 1e9 ? value * 1_000 : now + value * 1_000;
}

function spoken(pattern: RegExp, body: string): number | undefined {
  const found = pattern.exec(body)?.[1];
  return found === undefined ? undefined : durationMs(found.replaceAll(/[, ]/g, ''));
}

function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)[a-z]*/gi)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return Math.ceil(
    parts.reduce((sum, [, value, unit]) => sum + Number(value) * (UNIT_MS[(unit ?? '').toLowerCase()] ?? 0), 0),
  );
}

function plausible(at: number, now: number): number | undefined {
  return at > now && at - now <= FURTHEST_MS ? Math.ceil(at) : undefined;
}

function latest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
