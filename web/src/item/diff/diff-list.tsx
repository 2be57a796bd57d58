import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import css from './diff.module.css';
import type { DiffFile } from './diff-data.ts';
import { FileRow, NoteRow } from './file-row.tsx';
import { openLineDraft } from './line-drafts.ts';
import { LineRow, PairRow } from './line-row.tsx';
import { fileAtTop, goToFile, isLine, keyActs, type List, neighbour } from './list-moves.ts';
import { keyOfLine } from './place.ts';
import type { Row } from './rows.ts';
import type { DiffSource } from './source.ts';
import { TalkRow } from './talk-row.tsx';
import { useHeldRow, withHeld } from './use-held-row.ts';

/** What a row takes before it was measured, in pixels. */
const HEIGHTS = { file: 42, note: 36, hunk: 26, line: 20, pair: 20, talk: 120 } as const;
const OVERSCAN_ROWS = 12;

/** What of a row tells it from the others of its kind in the file. */
const nameOf = (row: Row): string | number => {
  if (row.kind === 'pair') return `${row.left}/${row.right}`;
  if (row.kind === 'line') return row.at;
  if (row.kind === 'talk') return row.key;
  return row.kind === 'hunk' ? row.header : '';
};

const keyOf = (row: Row): string => `${row.file.key} ${row.kind} ${nameOf(row)}`;

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
  const { heldKey, hold } = useHeldRow((index) => rows[index] && keyOf(rows[index]));
  const list = useRows(rows, scroller, heldKey);
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
  const top = (list.scrollOffset ?? 0) > 0 ? fileAtTop(list, rows) : undefined;
  const isActiveThere = list.getVirtualItems().some(({ index }) => index === active);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a group of rows with keys of its own, and no part of a form
    <div
      ref={scroller}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and has keys is reached by Tab
      tabIndex={0}
      aria-label={t('label')}
      aria-describedby={`${id}-keys`}
      {...(isActiveThere ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      className={css.list}
      onKeyDown={press}
      {...hold}
    >
      <p id={`${id}-keys`} className="sr-only">
        {t('keys')}
      </p>
      <div className={css.sticky}>
        {top && <FileRow file={top} source={source} isCollapsed={collapsed.has(top.path)} onToggle={toggle} isEcho />}
      </div>
      <Rows {...{ id, list, rows, source, collapsed, active }} onActive={setActive} onToggle={toggle} onSay={say} />
    </div>
  );
}

/** Which rows are in sight, or held. */
function useRows(rows: readonly Row[], scroller: RefObject<HTMLDivElement | null>, heldKey: string | undefined): List {
  const held = useMemo(
    () => (heldKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === heldKey)),
    [rows, heldKey],
  );
  const rangeExtractor = useCallback((range: Range) => withHeld(defaultRangeExtractor(range), held), [held]);
  return useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'line'],
    getItemKey: (index) => (rows[index] ? keyOf(rows[index]) : index),
    overscan: OVERSCAN_ROWS,
    scrollPaddingStart: HEIGHTS.file,
    rangeExtractor,
  });
}

interface RowsProps extends Omit<RowProps, 'row' | 'isActive'> {
  readonly id: string;
  readonly list: List;
  readonly rows: readonly Row[];
  readonly active: number;
  readonly onActive: (index: number) => void;
}

/** A click takes a line; arrows do the same. */
function Rows({ id, list, rows, active, onActive, ...rest }: RowsProps) {
  const rowProps = (index: number) => ({
    id: `${id}-${index}`,
    onClick: isLine(rows[index]) ? () => onActive(index) : undefined,
  });
  return (
    <VirtualRows list={list} rowProps={rowProps}>
      {(index) => <RowView row={rows[index]} isActive={index === active} {...rest} />}
    </VirtualRows>
  );
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
