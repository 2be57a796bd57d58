const SECOND = 1_000;

/**
 * The skew nearest to the known one that an answer allows: it was made at some instant of the second that its `Date`
 * names, between asking and hearing.
 */
export function skewAfter(known: number, date: number, askedAt: number, heardAt: number): number {
  return Math.min(Math.max(known, date - heardAt), date + SECOND - askedAt);
}
