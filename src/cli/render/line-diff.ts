import type { Paint } from './paint.ts';

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Lengths of the longest common subsequences of all tails of both lists. */
function lengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (!row) continue;
      const below = table[i + 1] ?? [];
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/** The shortest way from one text to the other, in lines. Meant for short texts: cost grows with their product. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const table = lengths(a, b);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const gone = table[i + 1]?.[j] ?? -1;
    const added = table[i]?.[j + 1] ?? -1;
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || gone >= added)) {
      lines.push({ kind: 'gone', text: a[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: b[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}

const CONTEXT = 2;

/** Changed lines with two lines around them. */
export function diffLines(lines: readonly DiffLine[], paint: Paint): readonly string[] {
  const near = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => line.kind !== 'same');
  return lines.flatMap((line, index) => {
    if (line.kind === 'gone') return [paint.red(`- ${line.text}`)];
    if (line.kind === 'new') return [paint.green(`+ ${line.text}`)];
    return near(index) ? [paint.dim(`  ${line.text}`)] : [];
  });
}
