import type { DiffFile, DiffHunk, DiffLine } from './diff-data.ts';
import { keyOfLine } from './place.ts';

/** One line of the list that is scrolled. Lines are named by their index in the file. */
export type Row =
  | { readonly kind: 'file'; readonly file: DiffFile }
  | { readonly kind: 'note'; readonly file: DiffFile }
  | { readonly kind: 'hunk'; readonly file: DiffFile; readonly header: string }
  | { readonly kind: 'line'; readonly file: DiffFile; readonly at: number }
  | { readonly kind: 'pair'; readonly file: DiffFile; readonly left: number; readonly right: number }
  | { readonly kind: 'talk'; readonly file: DiffFile; readonly key: string };

export interface Shape {
  readonly isSplit: boolean;
  /** Paths of files of which only the head is shown. */
  readonly collapsed: ReadonlySet<string>;
  /** Lines that something was said about, or is being written about, by their keys. */
  readonly talked: ReadonlySet<string>;
}

/** Both sides of a line of the list; -1 where one has nothing. */
type Pair = readonly [left: number, right: number];

/** The lines of a hunk side by side: partners on one row, what stands between them beside each other as it comes. */
function pairsOf(lines: readonly DiffLine[], { start, end }: DiffHunk): readonly Pair[] {
  const pairs: Pair[] = [];
  let at = start;
  while (at < end) {
    if (lines[at]?.sign === ' ') {
      pairs.push([at, at]);
      at += 1;
      continue;
    }
    const added = endOf(lines, at, end, '-');
    const next = endOf(lines, added, end, '+');
    pushBlock(pairs, lines, { removed: at, added, next });
    at = Math.max(next, at + 1);
  }
  return pairs;
}

function endOf(lines: readonly DiffLine[], from: number, end: number, sign: DiffLine['sign']): number {
  let at = from;
  while (at < end && lines[at]?.sign === sign) at += 1;
  return at;
}

interface Block {
  readonly removed: number;
  readonly added: number;
  /** What comes behind the added lines. */
  readonly next: number;
}

function pushBlock(pairs: Pair[], lines: readonly DiffLine[], { removed, added, next }: Block): void {
  const isAlone = (at: number, end: number): boolean => at < end && (lines[at]?.partner ?? -1) < 0;
  let [left, right] = [removed, added];
  while (left < added || right < next) {
    const [leftAlone, rightAlone] = [isAlone(left, added), isAlone(right, next)];
    // A line with a partner waits until that one's turn has come.
    const takesLeft = leftAlone || (!rightAlone && left < added);
    const takesRight = rightAlone || (!leftAlone && right < next);
    pairs.push([takesLeft ? left : -1, takesRight ? right : -1]);
    if (takesLeft) left += 1;
    if (takesRight) right += 1;
  }
}

/** What was said about the lines that were just pushed. */
function pushTalk(rows: Row[], file: DiffFile, lines: readonly number[], talked: Shape['talked']): void {
  if (talked.size === 0) return;
  for (const at of new Set(lines)) {
    const line = file.lines[at];
    const key = line && keyOfLine(file, line);
    if (key !== undefined && talked.has(key)) rows.push({ kind: 'talk', file, key });
  }
}

function pushHunk(rows: Row[], file: DiffFile, hunk: DiffHunk, { isSplit, talked }: Shape): void {
  rows.push({ kind: 'hunk', file, header: hunk.header });
  if (isSplit) {
    for (const [left, right] of pairsOf(file.lines, hunk)) {
      rows.push({ kind: 'pair', file, left, right });
      pushTalk(rows, file, [left, right], talked);
    }
    return;
  }
  for (let at = hunk.start; at < hunk.end; at += 1) {
    rows.push({ kind: 'line', file, at });
    pushTalk(rows, file, [at], talked);
  }
}

const hasNote = ({ hunks, facts, modes, unended, oldPath }: DiffFile): boolean =>
  hunks.length === 0 ||
  modes !== null ||
  oldPath !== null ||
  unended.old !== unended.now ||
  facts.some((fact) => fact !== 'added' && fact !== 'deleted');

/** Files, hunks and lines in one flat list. */
export function rowsOf(files: readonly DiffFile[], shape: Shape): readonly Row[] {
  const rows: Row[] = [];
  for (const file of files) {
    rows.push({ kind: 'file', file });
    if (shape.collapsed.has(file.path)) continue;
    if (hasNote(file)) rows.push({ kind: 'note', file });
    for (const hunk of file.hunks) pushHunk(rows, file, hunk, shape);
  }
  return rows;
}
