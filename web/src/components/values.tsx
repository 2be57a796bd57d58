import { useFormatter, useNow } from 'use-intl';

export { duration } from './duration.ts';

const MICROS = 1_000_000;

/** Money with its currency; small sums keep their cents' parts. `micros` are millionths of a US dollar. */
export function useMoney(): (micros: number) => string {
  const format = useFormatter();
  return (micros) => {
    const usd = micros / MICROS;
    const digits = usd !== 0 && Math.abs(usd) < 0.1 ? 3 : 2;
    // `$` in every country, as the server's own words have it.
    const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
    return format.number(usd, { ...dollars, maximumFractionDigits: digits });
  };
}

/** A large number in few signs, such as 20M; in capitals everywhere, for a small m is read as minutes. */
export function useShortNumber(): (amount: number) => string {
  const format = useFormatter();
  return (amount) => format.number(amount, { notation: 'compact', maximumSignificantDigits: 2 }).toUpperCase();
}

/** A point in time as its distance from now; the exact one on hover. `at` is epoch milliseconds or ISO 8601. */
export function Ago({ at, ahead = false }: { readonly at: number | string; readonly ahead?: boolean }) {
  const format = useFormatter();
  const now = useNow();
  const date = new Date(at);
  // A clock that is a little behind must not say "in 2 seconds" of what has happened.
  const said = format.relativeTime(date > now && !ahead ? now : date, now);
  const exact = format.dateTime(date, { dateStyle: 'full', timeStyle: 'medium' });
  return (
    <time dateTime={date.toISOString()} title={exact} className="num">
      {said}
    </time>
  );
}

/** The last part of a path names a project well enough; the whole of it on hover. */
export const nameOfDirectory = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
