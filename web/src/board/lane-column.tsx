import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ItemSummary, Lane } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { type BoardFilter, laneQuery } from '../api/queries.ts';
import { Mark, toneOf } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { nameOfDirectory } from '../components/values.tsx';
import { VirtualRows } from '../components/virtual-rows.tsx';
import css from './board.module.css';
import { Card } from './card.tsx';
import { placeAt, useKeptPlace } from './lane-places.ts';

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
  return (
    <section className={css.lane} aria-label={t(`lane.${lane}`)} data-lane={lane}>
      {titled && (
        <header className={css.laneHead}>
          <h2>
            <Mark tone={toneOf(lane)}>{t(`lane.${lane}`)}</Mark>
          </h2>
          <span className="faint num">
            {filter.search === '' ? count : `${items.length}${query.hasNextPage ? '+' : ''}`}
          </span>
        </header>
      )}
      {query.isError && <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeletons />}
      {query.isSuccess && items.length === 0 && <Nothing lane={lane} filter={filter} />}
      {items.length > 0 && (
        <Cards
          // Another list begins at its own place, and with its own sizes.
          key={`${filter.search} ${filter.directory}`}
          place={[lane, filter.search, filter.directory].join(' ')}
          items={items}
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
    </section>
  );
}

/** Why a lane is empty: of everything, or only of what was asked for. */
function Nothing({ lane, filter: { search, directory } }: Pick<Props, 'lane' | 'filter'>) {
  const t = useTranslations('board');
  const where = { search, directory: nameOfDirectory(directory) };
  const isAll = directory === '';
  if (search !== '') return <p className={css.nothing}>{t(isAll ? 'nothingFound' : 'nothingFoundIn', where)}</p>;
  return <p className={css.nothing}>{t(isAll ? `emptyLane.${lane}` : `emptyLaneIn.${lane}`, where)}</p>;
}

interface CardsProps {
  readonly items: readonly ItemSummary[];
  /** Under which its place is kept. */
  readonly place: string;
  readonly onEnd: () => void;
}

function Cards({ items, place, onEnd }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => items[index]?.id ?? index,
    gap: 10,
    overscan: 6,
    ...placeAt(place),
  });
  useKeptPlace(place, virtual);
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
