import { pad, shorten, widthOf } from './text.ts';

export interface Column {
  readonly title: string;
  /** Columns never go below this; the `grow` one takes what is left. */
  readonly min?: number;
  readonly max?: number;
  readonly align?: 'left' | 'right';
  readonly grow?: boolean;
}

export interface Cell {
  /** Without colours. */
  readonly text: string;
  /** Applied after fitting, so that widths are right. */
  readonly paint?: (text: string) => string;
}

const GAP = '  ';

const NARROWEST = 4;

/** Takes columns away from the widest until the line fits, or nothing is left to take. */
function squeeze(size: readonly number[], over: number): readonly number[] {
  const squeezed = [...size];
  for (let left = over; left > 0; left -= 1) {
    const widest = squeezed.indexOf(Math.max(...squeezed));
    if ((squeezed[widest] ?? 0) <= NARROWEST) break;
    squeezed[widest] = (squeezed[widest] ?? 0) - 1;
  }
  return squeezed;
}

/** How wide each column is: as its widest cell, but the one that may grow gives way first. */
export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  total: number,
): readonly number[] {
  const natural = columns.map((column, index) => {
    const widest = Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index]?.text ?? '')));
    return Math.max(column.min ?? 0, Math.min(widest, column.max ?? widest));
  });
  const sum = (size: readonly number[]): number => size.reduce((a, b) => a + b, GAP.length * (columns.length - 1));
  const over = sum(natural) - total;
  if (over <= 0) return natural;
  const yielded = natural.map((width, index) =>
    columns[index]?.grow ? Math.max(Math.min(width, columns[index]?.min ?? 8), width - over) : width,
  );
  return squeeze(yielded, sum(yielded) - total);
}

/** Rows in columns that fit `total`; one column may grow and shrink. The last cell of a line carries no trailing space. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  total: number,
  heading: ((text: string) => string) | null = null,
): readonly string[] {
  const size = columnWidths(columns, rows, total);
  const line = (cells: readonly Cell[]): string =>
    cells
      .map((cell, index) => {
        const width = size[index] ?? 0;
        const shown = pad(shorten(cell.text, width), width, columns[index]?.align ?? 'left');
        return cell.paint ? cell.paint(shown) : shown;
      })
      .join(GAP)
      .replace(/ +$/, '');
  const head = heading ? [line(columns.map(({ title }) => ({ text: title, paint: heading })))] : [];
  return [...head, ...rows.map(line)];
}
