import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { ActionRow } from './action-row.tsx';
import css from './actions.module.css';
import { useActionPages } from './use-action-pages.ts';

const ROW_PX = 65;

/** What is being done, in the order in which it was commissioned; and when it ran. */
export function ActionList({ item }: { readonly item: Item }) {
  const t = useTranslations('actions');
  const { lineAt, known, total, error, look } = useActionPages(item.id);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: known,
    getScrollElement: () => list.current?.closest('[role=tabpanel]') ?? null,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => look(first, last), [look, first, last]);
  return (
    <div className={css.stack}>
      <h2 className="sr-only">{t('list')}</h2>
      {known > 0 && <Timeline item={item} />}
      {error !== undefined && error !== null && <ProblemNotice problem={problemOf(error)} />}
      {total === 0 && <p className="muted">{t(`none.${item.lane}`)}</p>}
      <VirtualRows
        ref={list}
        list={virtual}
        as="ol"
        label={t('list')}
        className={css.list}
        rowProps={(index) => ({ 'aria-setsize': total ?? -1, 'aria-posinset': index + 1 })}
      >
        {(index) => <ActionRow itemId={item.id} line={lineAt(index)} />}
      </VirtualRows>
      {total !== undefined && known < total && <p className="faint small num">{t('partOf', { known, total })}</p>}
    </div>
  );
}
