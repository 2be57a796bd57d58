import type { DiffFile, DiffHunk, DiffLine } from './diff-data.ts';
import { placeOf } from './place.ts';

/** One line of the list that is scrolled. Lines are named by their index in the file. */
export type Row =
  | { readonly kind: 'file'; readonly file: DiffFile }
  | { readonly kind: 'note'; readonly file: DiffFile }
  | { readonly kind: 'hunk'; readonly file: DiffFile; readonly header: string }
  | { readonly kind: 'line'; readonly file: DiffFile; readonly at: number }
  | { readonly kind: 'pair'; readonly file: DiffFile; readonly left: number; readonly right: number }
  | { readonly kind: 'talk'; readonly file: DiffFile; readonly at: number; readonly place: string };

export interface Shape {
  readonly isSplit: boolean;
  /** Paths of files of which only the head is shown. */
  readonly collapsed: ReadonlySet<string>;
  /** Places that something was said about, or is being written about. */
  readonly talked: ReadonlySet<string>;
}

/** Both sides of a line of the list; -1 where one has nothing. */
type Pair = readonly [left: number, right: number];

/** The lines of a hunk side by side. */
function pairsOf(lines: readonly DiffLine[], { start, end }: DiffHunk): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let at = start; at < end; at += 1) {
    const line = lines[at];
    if (!line) break;
    if (line.sign === ' ') pairs.push([at, at]);
    else if (line.sign === '-') pairs.push([at, line.partner]);
    else if (line.partner < 0) pairs.push([-1, at]);
  }
  return pairs;
}

/** What was said about the lines that were just pushed. */
function pushTalk(rows: Row[], file: DiffFile, lines: readonly number[], talked: Shape['talked']): void {
  if (talked.size === 0) return;
  for (const at of new Set(lines)) {
    const line = file.lines[at];
    const place = line && placeOf(file, line);
    if (place !== undefined && talked.has(place)) rows.push({ kind: 'talk', file, at, place });
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
