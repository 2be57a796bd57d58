import type { Extension } from '../core/command.ts';
import { bad, type Failure, isFailure } from './answer.ts';

/** Limits that a budget may name; money in millionths of a US dollar. */
export type Budget = Readonly<Partial<Pick<Extension, 'costMicros' | 'tokens' | 'requests' | 'wallClockSec'>>>;

/**
 * What may be said of a budget, and what it counts.
 *
 * | Written as           | Is                               |
 * | -------------------- | -------------------------------- |
 * | `5usd`, `$0.50`      | US dollars                       |
 * | `200k`, `2M`, `500tok` | tokens: thousands, millions, single |
 * | `50req`              | model requests                   |
 * | `90s` `15m` `2h` `7d` | time of Runs                     |
 */
const UNITS: Readonly<Record<string, readonly [keyof Budget, number]>> = {
  usd: ['costMicros', 1_000_000],
  k: ['tokens', 1_000],
  M: ['tokens', 1_000_000],
  tok: ['tokens', 1],
  req: ['requests', 1],
  s: ['wallClockSec', 1],
  m: ['wallClockSec', 60],
  h: ['wallClockSec', 3_600],
  d: ['wallClockSec', 86_400],
};

const EXPECTED = 'amounts such as 5usd, 200k (tokens), 2M (tokens), 50req, 90m or 2h, joined by commas';

const refused = (found: string): Failure => bad('--budget cannot be that.', EXPECTED, found);

function partOf(part: string): readonly [keyof Budget, number] | Failure {
  const text = part.trim().replace(/^\$(.+)$/, '$1usd');
  const [, amount = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)([A-Za-z]+)$/.exec(text) ?? [];
  const known = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (!known) return refused(part.trim() || 'nothing');
  const value = Math.round(Number(amount) * known[1]);
  return value >= 1 ? [known[0], value] : refused(part.trim());
}

/** `5usd,200k,50req,2h`; each kind once. */
export function readBudget(text: string): Budget | Failure {
  const budget: Partial<Record<keyof Budget, number>> = {};
  for (const part of text.split(',')) {
    const read = partOf(part);
    if (isFailure(read)) return read;
    const [kind, value] = read;
    if (budget[kind] !== undefined) return bad('--budget names one thing twice.', 'each limit once', text);
    budget[kind] = value;
  }
  return budget;
}
