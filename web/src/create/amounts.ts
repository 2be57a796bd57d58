import { isAmbiguous, numberOf } from '../components/typed-number.ts';

/** What was typed for an amount: nothing, a whole number of its unit, or no amount at all. */
export type Amount = number | undefined | 'invalid';

/** `factor` units for each one that was typed; at least one unit. What may mean a thousand times as much is no amount. */
function amountOf(typed: string, factor: number): Amount {
  if (typed.trim() === '') return undefined;
  const number = numberOf(typed);
  if (number === undefined || isAmbiguous(typed)) return 'invalid';
  const units = Math.round(number * factor);
  return units >= 1 && Number.isSafeInteger(units) ? units : 'invalid';
}

/** "2.50" and "$2.50" in millionths of a US dollar. */
export const microsOf = (typed: string): Amount => amountOf(typed.replace(/^\s*\$/, ''), 1_000_000);

const SCALES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** "200000", "200k", "1.5M". */
export function tokensOf(typed: string): Amount {
  const text = typed.trim().toLowerCase();
  const scale = SCALES[text.slice(-1)];
  if (scale === undefined) return amountOf(text, 1);
  return amountOf(text.slice(0, -1), scale) ?? 'invalid';
}

/** Hours in seconds. */
export const secondsOf = (typed: string): Amount => amountOf(typed, 3_600);
