import { roundCents } from './money.js';

/** Rates in tenths of a percent, by the letter that an order carries. */
export const RATES = Object.freeze({ A: 190, B: 70, Z: 0 });

/** Tax on a net amount in cents. */
export function taxOn(netCents, rate) {
  const perMille = RATES[rate];
  if (perMille === undefined) throw new RangeError(`no such tax rate: ${rate}`);
  return roundCents((netCents * perMille) / 1000);
}

/** Net and tax per rate; tax is rounded once per rate, not once per line. */
export function taxTable(lines) {
  const net = new Map();
  for (const { rate, netCents } of lines) net.set(rate, (net.get(rate) ?? 0) + netCents);
  return [...net].sort().map(([rate, netCents]) => ({ rate, netCents, taxCents: taxOn(netCents, rate) }));
}
