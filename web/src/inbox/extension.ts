/** What can be added to a budget; each in the unit that people say it in. */
export const UNITS = ['costMicros', 'tokens', 'requests', 'wallClockSec'] as const;
export type Unit = (typeof UNITS)[number];

/** One of what people say, in what the server counts. */
const SIZES: Readonly<Record<Unit, number>> = { costMicros: 1_000_000, tokens: 1, requests: 1, wallClockSec: 60 };

const BY_CODE: Readonly<Record<string, Unit>> = {
  wall_clock_exhausted: 'wallClockSec',
  requests_exhausted: 'requests',
  tokens_exhausted: 'tokens',
  money_exhausted: 'costMicros',
};

/** What lets a held item go on: the most likely amount is there before anything is typed. */
export const USUAL: Readonly<Record<Unit, number>> = {
  costMicros: 5,
  tokens: 1_000_000,
  requests: 200,
  wallClockSec: 60,
};

export const unitOf = (holdCode: string): Unit => BY_CODE[holdCode] ?? 'costMicros';

/** Whether the hold is about a budget, so that adding to it is what helps. */
export const isBudget = (holdCode: string): boolean => Object.hasOwn(BY_CODE, holdCode);

/** The amount as the server takes it; undefined where it is none. */
export function extension(unit: Unit, typed: string): Partial<Record<Unit, number>> | undefined {
  const amount = Math.round(Number(typed) * SIZES[unit]);
  return Number.isSafeInteger(amount) && amount > 0 ? { [unit]: amount } : undefined;
}
