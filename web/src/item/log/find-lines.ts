/** Numbers of the lines that contain some text, ignoring case. */
export function linesWith(lines: readonly string[], text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []));
}

/** The hit that comes next in a direction, round about. */
export const hitAfter = (hits: readonly number[], at: number, step: 1 | -1): number =>
  hits.length === 0 ? -1 : (at + step + hits.length) % hits.length;
