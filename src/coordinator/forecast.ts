import type { Delivery, Usage } from '../core/index.ts';

/** A done item of the same user. */
export interface PastItem {
  readonly usage: Usage;
  readonly criteria: number;
  readonly target: Delivery['target'];
}

export type Range = Readonly<{ low: number; median: number; high: number }>;

/** What an item may take (D26). `low` and `high` leave out a fifth of the history on each side. */
export interface Forecast {
  /** `similar`: items of the same delivery and about this size · `all`: whatever was done · `default`: no history. */
  readonly basis: 'similar' | 'all' | 'default';
  /** Items it rests on. */
  readonly n: number;
  readonly tokens: Range;
  readonly requests: Range;
  /** The time of all Runs together, in milliseconds. */
  readonly wallMs: Range;
  /** Millionths of a US dollar; null when no item it rests on has a whole price. */
  readonly costMicros: Range | null;
}

/** What of a contract decides how much it takes; there may be no contract yet. */
export interface ItemShape {
  readonly criteria: { readonly length: number };
  readonly delivery: Pick<Delivery, 'target'>;
}

/** Fewer say nothing about the next one. */
const ENOUGH = 3;
const SIMILAR_FACTOR = 2;

/** What is told without a history: a criterion adds to what every item needs. */
const FIXED = Object.freeze({
  tokens: { low: 60_000, median: 200_000, high: 800_000 },
  requests: { low: 12, median: 40, high: 150 },
  wallMs: { low: 180_000, median: 900_000, high: 3_600_000 },
});
const SHARE_PER_CRITERION = 0.25;

/** From the user's own done items, or from stated defaults when there are fewer than three. Pure; order is no matter. */
export function forecastOf(history: readonly PastItem[], { criteria, delivery }: ItemShape): Forecast {
  const known = history.filter(({ usage }) => usage.requests > 0);
  const similar = known.filter((item) => item.target === delivery.target && isNear(item.criteria, criteria.length));
  if (similar.length >= ENOUGH) return fromHistory('similar', similar);
  if (known.length >= ENOUGH) return fromHistory('all', known);
  return defaultFor(criteria.length);
}

const isNear = (a: number, b: number): boolean => a <= b * SIMILAR_FACTOR && b <= a * SIMILAR_FACTOR;

function fromHistory(basis: 'similar' | 'all', items: readonly PastItem[]): Forecast {
  const usages = items.map(({ usage }) => usage);
  const rangeBy = (of: (usage: Usage) => number) => rangeOf(usages.map(of));
  const priced = usages.filter(({ unpriced, metered }) => unpriced === 0 && metered);
  return {
    basis,
    n: items.length,
    tokens: rangeBy(({ tokens }) => tokens),
    requests: rangeBy(({ requests }) => requests),
    wallMs: rangeBy(({ wallMs }) => wallMs),
    costMicros: priced.length > 0 ? rangeOf(priced.map(({ costMicros }) => costMicros)) : null,
  };
}

/** The value below which `share` of them lie; one of them, never one between. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  return { low: quantile(sorted, 0.2), median: quantile(sorted, 0.5), high: quantile(sorted, 0.8) };
}

function defaultFor(criteria: number): Forecast {
  const factor = 1 + SHARE_PER_CRITERION * (criteria - 1);
  const scaled = ({ low, median, high }: Range): Range => ({
    low: Math.round(low * factor),
    median: Math.round(median * factor),
    high: Math.round(high * factor),
  });
  return {
    basis: 'default',
    n: 0,
    tokens: scaled(FIXED.tokens),
    requests: scaled(FIXED.requests),
    wallMs: scaled(FIXED.wallMs),
    costMicros: null,
  };
}
