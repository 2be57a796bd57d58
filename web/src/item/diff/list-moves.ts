import type { Virtualizer } from '@tanstack/react-virtual';
import type { DiffFile } from './diff-data.ts';
import type { Row } from './rows.ts';

export type List = Virtualizer<HTMLDivElement, Element>;

/** Rows that a comment can be about. */
export const isLine = (row: Row | undefined): boolean => row?.kind === 'line' || row?.kind === 'pair';

/** Scrolls so that a file's head stands at the top. */
export function goToFile(list: List, rows: readonly Row[], path: string): void {
  const index = rows.findIndex((row) => row.kind === 'file' && row.file.path === path);
  const start = index < 0 ? undefined : list.measurementsCache[index]?.start;
  if (start !== undefined) list.scrollToOffset(start);
}

/** The file that is at the top of what is in sight. */
export const fileAtTop = (list: List, rows: readonly Row[]): DiffFile | undefined =>
  rows[list.getVirtualItemForOffset(list.scrollOffset ?? 0)?.index ?? 0]?.file;

export function neighbour(list: List, rows: readonly Row[], files: readonly DiffFile[], step: 1 | -1): void {
  const top = fileAtTop(list, rows);
  const now = top ? files.indexOf(top) : -1;
  const next = files[Math.min(Math.max(now + step, 0), files.length - 1)];
  if (next) goToFile(list, rows, next.path);
}

interface Keys {
  readonly list: List;
  readonly rows: readonly Row[];
  readonly files: readonly DiffFile[];
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly say: (file: DiffFile, at: number) => void;
}

/** What the keys of the list do. */
export function keyActs({ list, rows, files, active, setActive, say }: Keys): ReadonlyMap<string, () => void> {
  const move = (step: 1 | -1): void => {
    const first = list.getVirtualItemForOffset(list.scrollOffset ?? 0)?.index ?? 0;
    let next = active < 0 ? first : active + step;
    while (rows[next] && !isLine(rows[next])) next += step;
    if (!rows[next]) return;
    setActive(next);
    list.scrollToIndex(next, { align: 'auto' });
  };
  const sayHere = (): void => {
    const row = rows[active];
    if (row?.kind === 'line') say(row.file, row.at);
    else if (row?.kind === 'pair') say(row.file, row.right >= 0 ? row.right : row.left);
    else move(1);
  };
  return new Map([
    ['n', () => neighbour(list, rows, files, 1)],
    ['p', () => neighbour(list, rows, files, -1)],
    ['ArrowDown', () => move(1)],
    ['ArrowUp', () => move(-1)],
    ['c', sayHere],
  ]);
}
