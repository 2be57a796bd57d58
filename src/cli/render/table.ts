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

function widths(columns: readonly Column[], rows: readonly (readonly Cell[])[], total: number): readonly number[] {
  const natural = columns.map((column, index) => {
    const widest = Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index]?.text ?? '')));
    return Math.max(column.min ?? 0, Math.min(widest, column.max ?? widest));
  });
  const spare = total - natural.reduce((sum, width) => sum + width, 0) - GAP.length * (columns.length - 1);
  if (spare >= 0) return natural;
  return natural.map((width, index) =>
    columns[index]?.grow ? Math.max(columns[index]?.min ?? 8, width + spare) : width,
  );
}

/** Rows in columns that fit `total`; one column may grow and shrink. The last cell of a line carries no trailing space. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  total: number,
  heading: ((text: string) => string) | null = null,
): readonly string[] {
  const size = widths(columns, rows, total);
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
