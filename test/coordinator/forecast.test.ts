import { describe, expect, it } from 'vitest';
import { forecastOf, type PastItem } from '../../src/coordinator/index.ts';
import { checked, contract, USED } from '../core/builders.ts';

const past = (tokens: number, more: Partial<PastItem> = {}): PastItem => ({
  usage: { ...USED, tokens, requests: 10, costMicros: tokens * 3, wallMs: 1_000 },
  criteria: 1,
  target: 'workspace_files',
  ...more,
});

describe('the forecast before a start (D26)', () => {
  it('rests on done items of the same kind and size, without the fifth at each end', () => {
    const history = [100, 200, 300, 400, 500].map((tokens) => past(tokens));
    const other = past(9_000_000, { target: 'response' });
    const large = past(9_000_000, { criteria: 5 });
    expect(forecastOf([...history, other, large], contract())).toEqual({
      basis: 'similar',
      n: 5,
      tokens: { low: 200, median: 300, high: 500 },
      requests: { low: 10, median: 10, high: 10 },
      wallMs: { low: 1_000, median: 1_000, high: 1_000 },
      costMicros: { low: 600, median: 900, high: 1_500 },
    });
    expect(forecastOf(history.toReversed(), contract())).toEqual(forecastOf(history, contract()));
  });

  it('takes all items where too few are alike, and says so', () => {
    const history = [past(1), past(2, { target: 'merge' }), past(3, { criteria: 9 })];
    expect(forecastOf(history, contract())).toMatchObject({ basis: 'all', n: 3, tokens: { median: 2 } });
  });

  it('names a default without a history, larger for more criteria, and no money', () => {
    const small = forecastOf([past(1), past(2)], contract());
    const big = forecastOf([], contract({ criteria: ['c1', 'c2', 'c3'].map((id) => checked(id)) }));
    expect(small).toMatchObject({ basis: 'default', n: 0, costMicros: null });
    expect(big.tokens.median).toBeGreaterThan(small.tokens.median);
  });

  it('never counts an unpriced or unmetered item as cheap, nor one that asked no model', () => {
    const usage = { ...USED, tokens: 5, requests: 1 };
    const unpriced = past(1, { usage: { ...usage, unpriced: 1 } });
    const unmetered = past(1, { usage: { ...usage, metered: false } });
    expect(forecastOf([unpriced, unmetered, unpriced], contract()).costMicros).toBeNull();
    expect(forecastOf([past(7), unmetered, unpriced], contract()).costMicros).toEqual({
      low: 21,
      median: 21,
      high: 21,
    });
    expect(
      forecastOf(
        [1, 2, 3].map(() => past(1, { usage: USED })),
        contract(),
      ).basis,
    ).toBe('default');
  });
});
