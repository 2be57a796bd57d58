import type { Forecast, Range } from '../../coordinator/forecast.ts';
import { count, money } from './money.ts';
import { duration } from './when.ts';

const BASIS: Readonly<Record<Forecast['basis'], (n: number) => string>> = {
  similar: (n) => `from ${n} finished items of about this size`,
  all: (n) => `from your ${n} finished items`,
  default: () => 'a rough guess: nothing like it has been finished here yet',
};

const rangeText = ({ low, median, high }: Range, say: (value: number) => string): string =>
  `${say(low)}…${say(high)}, most likely ${say(median)}`;

/** The forecast in a few words: money first where it can be said. */
export function forecastText({ basis, n, tokens, requests, wallMs, costMicros }: Forecast): string {
  const cost = costMicros === null ? [] : [rangeText(costMicros, money)];
  const parts = [
    ...cost,
    `${rangeText(tokens, count)} tokens`,
    `${requests.low}…${requests.high} requests`,
    `${duration(wallMs.low)}…${duration(wallMs.high)} of Runs`,
  ];
  return `${parts.join(' · ')} (${BASIS[basis](n)})`;
}
