import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ItemSummary, Lane } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { type BoardFilter, laneQuery } from '../api/queries.ts';
import { Mark, toneOf } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { VirtualRows } from '../components/virtual-rows.tsx';
import css from './board.module.css';
import { Card } from './card.tsx';

interface Props {
  readonly lane: Lane;
  readonly filter: BoardFilter;
  /** Where tabs name the lanes, the column does not. */
  readonly titled: boolean;
}

const CARD_PX = 116;

/** One lane. Only the cards in sight are in the page; the next page is read before its end is reached. */
export function LaneColumn({ lane, filter, titled }: Props) {
  const t = useTranslations();
  const query = useInfiniteQuery(laneQuery(lane, filter));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const count = query.data?.pages[0]?.counts[lane];
  const isFiltered = filter.search !== '';
  return (
    <section className={css.lane} aria-label={t(`lane.${lane}`)} data-lane={lane}>
      {titled && (
        <header className={css.laneHead}>
          <h2>
            <Mark tone={toneOf(lane)}>{t(`lane.${lane}`)}</Mark>
          </h2>
          <span className="faint num">{isFiltered ? items.length : count}</span>
        </header>
      )}
      {query.isError && <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeletons />}
      {query.isSuccess && items.length === 0 && (
        <p className={css.nothing}>
          {isFiltered ? t('board.nothingFound', { search: filter.search }) : t(`board.emptyLane.${lane}`)}
        </p>
      )}
      {items.length > 0 && (
        <Cards
          items={items}
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
    </section>
  );
}

function Cards({ items, onEnd }: { readonly items: readonly ItemSummary[]; readonly onEnd: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => items[index]?.id ?? index,
    gap: 10,
    overscan: 6,
  });
  const isNearEnd = (virtual.getVirtualItems().at(-1)?.index ?? 0) >= items.length - 5;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);
  return (
    <div ref={scroller} className={css.scroller}>
      <VirtualRows list={virtual} as="ul" className={css.cards}>
        {(index) => {
          const item = items[index];
          return item && <Card item={item} />;
        }}
      </VirtualRows>
    </div>
  );
}

const Skeletons = () => (
  <div aria-hidden="true" className={css.skeletons}>
    {[0, 1, 2].map((n) => (
      <div key={n} className={css.skeleton} />
    ))}
  </div>
);
