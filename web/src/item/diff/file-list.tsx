import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import css from './diff.module.css';
import type { DiffFile } from './diff-data.ts';
import { Counts, PathName } from './file-row.tsx';

const ROW_PX = window.matchMedia('(pointer: coarse)').matches ? 40 : 32;
const SHOWN_ROWS = 10;

interface Props {
  readonly files: readonly DiffFile[];
  readonly onJump: (path: string) => void;
}

/** Every file with what changed in it; a click leads there. */
export function FileList({ files, onJump }: Props) {
  const t = useTranslations('diff');
  const [filter, setFilter] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  const shown = files.filter(({ path }) => path.toLowerCase().includes(wanted));
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => shown[index]?.key ?? index,
    overscan: SHOWN_ROWS,
  });
  const height = Math.max(1, Math.min(shown.length, SHOWN_ROWS)) * ROW_PX + 2;
  return (
    <nav className={css.files} aria-label={t('files')}>
      <input
        type="search"
        value={filter}
        aria-label={t('filter')}
        placeholder={t('filter')}
        onChange={(event) => setFilter(event.target.value)}
      />
      <div ref={scroller} className={css.fileRoom} style={{ height: `min(${height}px, 30vh)` }}>
        {shown.length === 0 && <p className={css.note}>{t('noFile')}</p>}
        <VirtualRows list={list} as="ul">
          {(index) => {
            const file = shown[index];
            return (
              file && (
                <button type="button" className={css.jump} onClick={() => onJump(file.path)}>
                  <PathName path={file.path} />
                  <Counts added={file.added} removed={file.removed} />
                </button>
              )
            );
          }}
        </VirtualRows>
      </div>
    </nav>
  );
}
