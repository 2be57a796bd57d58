import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useCallback, useId, useImperativeHandle, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useShortcuts } from '../../shell/shortcuts.ts';
import css from './diff.module.css';
import type { DiffFile } from './diff-data.ts';
import { FileRow, NoteRow } from './file-row.tsx';
import { openLineDraft } from './line-drafts.ts';
import { LineRow, PairRow } from './line-row.tsx';
import { keyOfLine } from './place.ts';
import type { Row } from './rows.ts';
import type { DiffSource } from './source.ts';
import { TalkRow } from './talk-row.tsx';

/** What a row takes before it was measured, in pixels. */
const HEIGHTS = { file: 42, note: 36, hunk: 26, line: 20, pair: 20, talk: 120 } as const;
const OVERSCAN_ROWS = 12;

type List = Virtualizer<HTMLDivElement, Element>;

/** Rows that a comment can be about. */
const isLine = (row: Row | undefined): boolean => row?.kind === 'line' || row?.kind === 'pair';

/** What of a row tells it from the others of its kind in the file. */
const nameOf = (row: Row): string | number => {
  if (row.kind === 'pair') return `${row.left}/${row.right}`;
  if (row.kind === 'line') return row.at;
  if (row.kind === 'talk') return row.key;
  return row.kind === 'hunk' ? row.header : '';
};

const keyOf = (row: Row): string => `${row.file.key} ${row.kind} ${nameOf(row)}`;

/** Scrolls so that a file's head stands at the top. */
function goToFile(list: List, rows: readonly Row[], path: string): void {
  const index = rows.findIndex((row) => row.kind === 'file' && row.file.path === path);
  const start = index < 0 ? undefined : list.measurementsCache[index]?.start;
  if (start !== undefined) list.scrollToOffset(start);
}

/** The file that is at the top of what is in sight. */
const fileAtTop = (list: List, rows: readonly Row[]): DiffFile | undefined =>
  rows[list.getVirtualItemForOffset(list.scrollOffset ?? 0)?.index ?? 0]?.file;

function neighbour(list: List, rows: readonly Row[], files: readonly DiffFile[], step: 1 | -1): void {
  const top = fileAtTop(list, rows);
  const now = top ? files.indexOf(top) : -1;
  const next = files[Math.min(Math.max(now + step, 0), files.length - 1)];
  if (next) goToFile(list, rows, next.path);
}

export interface DiffListHandle {
  readonly goTo: (path: string) => void;
}

interface Props {
  readonly ref: Ref<DiffListHandle>;
  readonly itemId: string;
  readonly source: DiffSource;
  readonly files: readonly DiffFile[];
  readonly rows: readonly Row[];
  readonly collapsed: ReadonlySet<string>;
  readonly onToggle: (path: string) => void;
}

/** The diff as one list of which only what is in sight exists. Keys: n, p by file; arrows by line; c to say something. */
export function DiffList({ ref, itemId, source, files, rows, collapsed, onToggle }: Props) {
  const t = useTranslations('diff');
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'line'],
    getItemKey: (index) => (rows[index] ? keyOf(rows[index]) : index),
    overscan: OVERSCAN_ROWS,
    scrollPaddingStart: HEIGHTS.file,
  });
  useImperativeHandle(ref, () => ({ goTo: (path) => goToFile(list, rows, path) }), [list, rows]);
  useShortcuts({ next: () => neighbour(list, rows, files, 1), previous: () => neighbour(list, rows, files, -1) });
  const say = useCallback(
    (file: DiffFile, at: number) => {
      const line = file.lines[at];
      if (line) openLineDraft(itemId, keyOfLine(file, line));
    },
    [itemId],
  );
  const toggle = (file: DiffFile): void => {
    onToggle(file.path);
    if (file === fileAtTop(list, rows)) goToFile(list, rows, file.path);
  };
  const press = (event: KeyboardEvent): void => {
    const act = keyActs({ list, rows, files, active, setActive, say }).get(event.key);
    if (!act || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const items = list.getVirtualItems();
  const top = (list.scrollOffset ?? 0) > 0 ? fileAtTop(list, rows) : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a group of rows with keys of its own, and no part of a form
    <div
      ref={scroller}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and has keys is reached by Tab
      tabIndex={0}
      aria-label={t('label')}
      aria-describedby={`${id}-keys`}
      {...(active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      className={css.list}
      onKeyDown={press}
    >
      <p id={`${id}-keys`} className="sr-only">
        {t('keys')}
      </p>
      <div className={css.sticky}>
        {top && <FileRow file={top} source={source} isCollapsed={collapsed.has(top.path)} onToggle={toggle} isEcho />}
      </div>
      <div className={css.room} style={{ height: list.getTotalSize() }}>
        <div className={css.seen} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: arrows do the same
            <div
              key={key}
              id={`${id}-${index}`}
              data-index={index}
              ref={list.measureElement}
              onClick={isLine(rows[index]) ? () => setActive(index) : undefined}
            >
              <RowView
                row={rows[index]}
                source={source}
                collapsed={collapsed}
                isActive={index === active}
                onToggle={toggle}
                onSay={say}
              />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
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
function keyActs({ list, rows, files, active, setActive, say }: Keys): ReadonlyMap<string, () => void> {
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

interface RowProps {
  readonly row: Row | undefined;
  readonly source: DiffSource;
  readonly collapsed: ReadonlySet<string>;
  readonly isActive: boolean;
  readonly onToggle: (file: DiffFile) => void;
  readonly onSay: (file: DiffFile, at: number) => void;
}

function RowView({ row, source, collapsed, isActive, onToggle, onSay }: RowProps) {
  switch (row?.kind) {
    case undefined:
      return null;
    case 'file':
      return <FileRow file={row.file} source={source} isCollapsed={collapsed.has(row.file.path)} onToggle={onToggle} />;
    case 'note':
      return <NoteRow file={row.file} />;
    case 'hunk':
      return <p className={css.hunk}>{row.header}</p>;
    case 'line':
      return <LineRow file={row.file} at={row.at} isActive={isActive} onSay={onSay} />;
    case 'pair':
      return <PairRow file={row.file} left={row.left} right={row.right} isActive={isActive} onSay={onSay} />;
    case 'talk':
      return <TalkRow file={row.file} lineKey={row.key} />;
  }
}
