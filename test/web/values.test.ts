import { describe, expect, it } from 'vitest';
import { duration } from '../../web/src/components/duration.ts';
import { regional } from '../../web/src/i18n/regional.ts';
import { shownStatus } from '../../web/src/item/actions/run-status.ts';
import { budgetLines } from '../../web/src/item/pane/budget-lines.ts';
import { skewAfter } from '../../web/src/shell/clock-skew.ts';

describe('a length of time', () => {
  it.each([
    [-10_783_218, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [59_499, '59 s'],
    [59_700, '1 min'],
    [119_700, '2 min'],
    [61_000, '1 min 1 s'],
    [3_599_900, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('of %j ms has no unit that is full', (ms, said) => expect(duration(ms)).toBe(said));
});

describe('the clock of the server', () => {
  const HOUR = 3_600_000;

  it('is that of the browser while an answer can be of the same instant', () => {
    expect(skewAfter(0, 7_000, 7_900, 7_950)).toBe(0);
    expect(skewAfter(-300, 7_000, 7_900, 7_950)).toBe(-300);
  });

  it('is found though the browser is hours off, and the nearer the more is asked', () => {
    const at = 10 * HOUR;
    const first = skewAfter(0, at, at - 3 * HOUR, at - 3 * HOUR + 40);
    expect(first).toBe(3 * HOUR - 40);
    expect(skewAfter(first, at + 1_000, at + 1_990 - 3 * HOUR, at + 1_995 - 3 * HOUR)).toBe(first);
    expect(skewAfter(0, at, at + 3 * HOUR, at + 3 * HOUR)).toBe(1_000 - 3 * HOUR);
  });

  it('is not shifted by an answer that was long on its way', () => {
    expect(skewAfter(50, 7_000, 6_000, 900_000)).toBe(50);
  });
});

describe('how dates are written', () => {
  it('is as where the reader lives, in the language and script of the page', () => {
    expect(regional('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(regional('en', ['de-DE'])).toBe('en');
    expect(regional('zh-Hans', ['zh-TW', 'zh-SG', 'en'])).toBe('zh-SG');
    expect(regional('zh-Hans', ['zh-TW'])).toBe('zh-Hans');
  });
});

describe('what it cost', () => {
  const usage = { wallMs: 15_000, requests: 5, tokens: 3_598, costMicros: 13_000, unpriced: 0, metered: true };
  const limits = { costMicros: null, tokens: 200, requests: 6, wallClockSec: 7_200 };
  const lines = (more: Partial<Parameters<typeof budgetLines>[0]> = {}) =>
    budgetLines({ usage, limits, hold: null, ...more }).map(({ what, used, limit, state }) => [
      what,
      used,
      limit,
      state,
    ]);

  it('stands beside each limit that was agreed, and says which of them is nearly or wholly used up', () => {
    expect(lines()).toEqual([
      ['costMicros', 13_000, null, 'fine'],
      ['tokens', 3_598, 200, 'spent'],
      ['requests', 5, 6, 'nearly'],
      ['wallClockSec', 15, 7_200, 'fine'],
    ]);
  });

  it('is used up where the next step does not fit, although something is left', () => {
    const hold = { code: 'money_exhausted', at: '2030-01-01T00:00:00Z', details: '' };
    expect(lines({ hold, limits: { ...limits, costMicros: 20_000 } })[0]).toEqual([
      ...['costMicros', 13_000, 20_000],
      'spent',
    ]);
  });

  it('has no line for what commands do not report', () => {
    const nothing = { ...usage, requests: 0, tokens: 0, costMicros: 0, metered: false };
    expect(lines({ usage: nothing })).toEqual([['wallClockSec', 15, 7_200, 'fine']]);
  });
});

describe('a Run that may be tried again', () => {
  const run = { id: 'r1', status: 'retryable' } as const;
  const lastRun = { id: 'r1', status: 'retryable', code: null, summary: '', error: null } as const;
  const of = (more: Partial<NonNullable<Parameters<typeof shownStatus>[1]>> = {}) =>
    shownStatus(run, { status: 'ready', runId: null, lastRun, ...more });

  it('says so only while it will be, then that it was, or that it failed', () => {
    expect(of()).toBe('retryable');
    expect(of({ status: 'running', runId: 'r2' })).toBe('retried');
    expect(of({ status: 'completed', lastRun: { ...lastRun, id: 'r2', status: 'completed' } })).toBe('retried');
    expect(of({ status: 'closed' })).toBe('failed');
    expect(shownStatus({ ...run, status: 'completed' }, undefined)).toBe('completed');
  });
});
