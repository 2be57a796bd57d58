import { isMeasured, type Line } from './figure.ts';

const WIDTHS = [24, 9, 6, 6, 7, 7, 9, 8] as const;

const joined = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd();

export const head = (): string =>
  joined(['figure', 'value', 'unit', 'n', 'ratio', 'sync', 'target', 'verdict', 'note']);

const verdictOf = (ok: boolean | undefined): string => (ok === undefined ? '' : ok ? 'ok' : 'MISSED');

/** One line of the table that people read. */
export function row(line: Line): string {
  if (!isMeasured(line)) return joined([line.name, 'not measured', '', '', '', '', '', '', line.skipped]);
  const { name, value, unit, n, ratio, durability, target, ok, note } = line;
  return joined([
    name,
    String(value),
    unit,
    n === undefined ? '' : String(n),
    ratio === undefined ? '' : String(ratio),
    durability ?? '',
    target ?? '',
    verdictOf(ok),
    note ?? '',
  ]);
}
