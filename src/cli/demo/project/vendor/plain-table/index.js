/** Rows of text in aligned columns, two spaces apart. `right` holds the numbers of the columns to align right. */
export function plainTable(rows, { right = [] } = {}) {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const cell = (text, at) => (right.includes(at) ? text.padStart(widths[at]) : text.padEnd(widths[at]));
  return rows
    .map((row) =>
      widths
        .map((_, at) => cell(row[at] ?? '', at))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
