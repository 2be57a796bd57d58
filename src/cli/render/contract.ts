import type { Criterion } from '../../core/model/contract.ts';
import type { Limits } from '../../core/model/item.ts';
import { count, money } from './money.ts';
import { oneLine, shorten } from './text.ts';
import { duration } from './when.ts';

const TEXT_COLUMNS = 100;

/** Each criterion with what would prove it, one line each. */
export const criterionLines = (criteria: readonly Criterion[]): readonly string[] =>
  criteria.map(({ id, text, check, minProof }) => {
    const proof = check ? `check: ${oneLine(check.run)}` : `proof: ${minProof} or stronger`;
    return `${id.padEnd(12)} ${shorten(oneLine(text), TEXT_COLUMNS)}  (${shorten(proof, TEXT_COLUMNS)})`;
  });

/** What an item may use, in a few words. */
export function limitsText({ costMicros, tokens, requests, wallClockSec }: Limits): string {
  const cost = costMicros === null ? 'no limit of money' : money(costMicros);
  const time = wallClockSec === null ? 'no limit of time' : `${duration(wallClockSec * 1_000)} of Runs`;
  return [cost, `${count(tokens)} tokens`, `${requests} requests`, time].join(', ');
}
