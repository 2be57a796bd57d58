import { describe, expect, test } from 'vitest';
import { waitsOf } from '../../src/model/waits.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;

describe('a wait in the headers', () => {
  test.each([
    [{ 'retry-after': '2' }, { retryAfterMs: 2_000 }],
    [{ 'retry-after': '1.5' }, { retryAfterMs: 1_500 }],
    [{ 'retry-after': new Date(NOW + 10_000).toUTCString() }, { retryAfterMs: 10_000 }],
    [{ 'retry-after': new Date(NOW - 10_000).toUTCString() }, { retryAfterMs: 0 }],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, { retryAfterMs: 250 }],
    [{ 'retry-after': 'soon' }, {}],
    [{ 'anthropic-ratelimit-unified-reset': String((NOW + HOUR) / 1_000) }, { resetAt: NOW + HOUR }],
    [{ 'x-ratelimit-reset-requests': '1h2m3s', 'x-ratelimit-reset-tokens': '20ms' }, { resetAt: NOW + HOUR + 123_000 }],
    [{ 'x-ratelimit-reset': '30' }, { resetAt: NOW + 30_000 }],
    [{ 'x-ratelimit-reset': String(NOW + HOUR) }, { resetAt: NOW + HOUR }],
    [{ 'x-ratelimit-reset': String(NOW * 1_000) }, {}],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '1h' }, {}],
    [{ 'anthropic-ratelimit-tokens-reset': 'never' }, {}],
  ])('%o', (headers, expected) => {
    expect(waitsOf(headers, '', NOW)).toEqual(expected);
  });
});

describe('a wait in the body', () => {
  test.each([
    ['Rate limit reached. Please try again in 6m0.5s.', { retryAfterMs: 360_500 }],
    ['Please try again in 20ms', { retryAfterMs: 20 }],
    ['Please retry after 3 seconds', { retryAfterMs: 3_000 }],
    ['{"error":{"type":"usage_limit_reached","resets_at":1796043600}}', { resetAt: 1_796_043_600_000 }],
    ['{"error":{"resets_in_seconds":90}}', { resetAt: NOW + 90_000 }],
    ['usage limit reached; your limit resets at 2026-11-30T15:00:00Z', { resetAt: NOW + 3 * HOUR }],
    ['your usage limit resets at 2026-11-30 15:00 UTC', { resetAt: NOW + 3 * HOUR }],
    ['You will regain access on 2026-12-01 at 00:00 UTC.', { resetAt: Date.UTC(2026, 11, 1) }],
    [`AI usage limit reached|${(NOW + HOUR) / 1_000}`, { resetAt: NOW + HOUR }],
    ['resets at 2031-01-01T00:00:00Z', {}],
    ['resets at 2020-01-01T00:00:00Z', {}],
    ['slow down', {}],
  ])('%s', (body, expected) => {
    expect(waitsOf({}, body, NOW)).toEqual(expected);
  });
});
