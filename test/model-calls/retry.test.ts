import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallEnd, nextTry, RETRY } from '../../src/model/index.ts';

const NOW = Date.UTC(2026, 10, 30);
type Rejected = Extract<CallEnd, { kind: 'rejected' }>;
const rejected = (code: Rejected['code'], more: Partial<Rejected> = {}): Rejected => ({
  kind: 'rejected',
  code,
  message: '',
  retryable: true,
  ...more,
});
const MINUTE = 60_000;

test.each(['unauthorised', 'bad_request', 'model_not_found', 'not_a_model_api', 'context_too_long'] as const)(
  '%s is given up for good, whatever wait is named',
  (code) => {
    expect(nextTry(rejected(code, { retryAfterMs: 1 }), 1, NOW, 0)).toEqual({ kind: 'give_up', permanent: true });
  },
);

test.each(['server_error', 'broken_stream', 'idle_timeout', 'malformed_body', 'aborted'] as const)(
  'unknown: %s is never sent again by itself',
  (code) => {
    expect(nextTry({ kind: 'unknown', code, message: '' }, 1, NOW, 0)).toEqual({ kind: 'give_up', permanent: false });
  },
);

describe.each(['rate_limited', 'overloaded', 'unreachable'] as const)('%s', (code) => {
  test('comes back after 1 s, doubling to 30 s, then parks', () => {
    const plan = [1, 2, 3, 4, 5, 6].map((attempt) => nextTry(rejected(code), attempt, NOW, 0.5));
    expect(plan).toEqual([1, 2, 4, 8, 16, 30].map((seconds) => ({ kind: 'retry', afterMs: seconds * 1_000 })));
    expect(nextTry(rejected(code), 7, NOW, 0.5)).toEqual({ kind: 'park', until: NOW + 5 * MINUTE, code });
    expect(nextTry(rejected(code), 8, NOW, 0.5)).toEqual({ kind: 'park', until: NOW + 10 * MINUTE, code });
  });

  test('waits as long as it was asked to, up to a minute', () => {
    expect(nextTry(rejected(code, { retryAfterMs: 7_000 }), 1, NOW, 0)).toEqual({ kind: 'retry', afterMs: 7_000 });
    expect(nextTry(rejected(code, { retryAfterMs: 60_000 }), 1, NOW, 0)).toEqual({ kind: 'retry', afterMs: 60_000 });
    expect(nextTry(rejected(code, { retryAfterMs: 60_001 }), 1, NOW, 0)).toEqual({
      kind: 'park',
      until: NOW + 60_001,
      code,
    });
  });

  test('goes by the later of a wait and a reset', () => {
    const end = rejected(code, { retryAfterMs: 2_000, resetAt: NOW + 90_000 });
    expect(nextTry(end, 1, NOW, 0)).toEqual({ kind: 'park', until: NOW + 90_000, code });
  });

  test('does not wait for a moment that has passed', () => {
    expect(nextTry(rejected(code, { resetAt: NOW - 1 }), 1, NOW, 0.5)).toEqual({ kind: 'retry', afterMs: 1_000 });
  });
});

describe('an exhausted quota', () => {
  test('parks until its reset, also a near one', () => {
    expect(nextTry(rejected('quota_exhausted', { resetAt: NOW + 5_000 }), 1, NOW, 0)).toEqual({
      kind: 'park',
      until: NOW + 5_000,
      code: 'quota_exhausted',
    });
  });

  test('without a reset parks 5 minutes, doubling to an hour', () => {
    const minutes = [1, 2, 3, 4, 5, 50].map((attempt) => {
      const next = nextTry(rejected('quota_exhausted'), attempt, NOW, 0);
      return next.kind === 'park' ? (next.until - NOW) / MINUTE : next.kind;
    });
    expect(minutes).toEqual([5, 10, 20, 40, 60, 60]);
  });
});

test('jitter stays within a quarter, and a named wait is never cut short', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 1, max: 60_000 }),
      (attempt, random, waitMs) => {
        const free = nextTry(rejected('overloaded'), attempt, NOW, random);
        const middle = Math.min(RETRY.longestMs, RETRY.firstMs * 2 ** (attempt - 1));
        expect(free.kind === 'retry' && Math.abs(free.afterMs - middle) <= middle * 0.25).toBe(true);
        const named = nextTry(rejected('overloaded', { retryAfterMs: waitMs }), attempt, NOW, random);
        expect(named.kind === 'retry' && named.afterMs >= waitMs).toBe(true);
      },
    ),
  );
});
