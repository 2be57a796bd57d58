import { plainTable } from 'plain-table';
import { writeMoney } from './money.js';

/** An invoice as text: its lines, then what they add up to. */
export function report({ customer, lines, netCents, taxCents, grossCents }) {
  const rows = lines.map((line) => [line.article, `${line.count}`, writeMoney(line.netCents)]);
  const sums = [
    ['net', '', writeMoney(netCents)],
    ['tax', '', writeMoney(taxCents)],
    ['total', '', writeMoney(grossCents)],
  ];
  return `${customer}\n${plainTable([...rows, ...sums], { right: [1, 2] })}`;
}
