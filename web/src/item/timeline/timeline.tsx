import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { useTick } from '../../components/use-tick.ts';
import { timelineQuery } from '../actions/queries.ts';
import { TimelineLanes } from './lanes.tsx';
import { type Picture, pictureOf } from './layout.ts';
import { shownNow } from './scale.ts';
import css from './timeline.module.css';
import { TimelineTable } from './timeline-table.tsx';

const MOST_ZOOM = 64;

/** What ran when: a lane for each workspace, a row for each Action, a bar for each Run; the same as a table for those who want to read it. */
export function Timeline({ item }: { readonly item: Item }) {
  const t = useTranslations('timeline');
  const query = useInfiniteQuery(timelineQuery(item.id));
  const { data } = query;
  const spans = useMemo(() => (data?.pages ?? []).flatMap((page) => page.spans), [data]);
  const actions = useMemo(() => (data?.pages ?? []).flatMap((page) => page.actions), [data]);
  const began = spans.at(-1)?.startedAt ?? 0;
  const now = shownNow(began, useTick(spans.some(({ endedAt }) => endedAt === null)));
  const picture = useMemo(() => pictureOf(spans, actions, now), [spans, actions, now]);
  const [zoom, setZoom] = useState(1);
  const [isTable, setTable] = useState(false);
  if (query.error && !data)
    return <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  if (!data) return <div aria-busy="true" className={css.waiting} />;
  return (
    <section className={css.timeline} aria-label={t('title')}>
      <header className={css.head}>
        <h3>{t('title')}</h3>
        {picture.rows.length > 0 && (
          <div className={css.tools}>
            {!isTable && <Zoom zoom={zoom} onZoom={setZoom} />}
            <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {isTable ? t('picture') : t('table')}
            </Button>
          </div>
        )}
      </header>
      <Shown itemId={item.id} picture={picture} zoom={zoom} isTable={isTable} />
      {query.hasNextPage && (
        <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('earlier')}
        </Button>
      )}
    </section>
  );
}

interface ShownProps {
  readonly itemId: string;
  readonly picture: Picture;
  readonly zoom: number;
  readonly isTable: boolean;
}

function Shown({ itemId, picture, zoom, isTable }: ShownProps) {
  const t = useTranslations('timeline');
  if (picture.rows.length === 0) return <p className="muted">{t('empty')}</p>;
  return isTable ? (
    <TimelineTable itemId={itemId} picture={picture} />
  ) : (
    <TimelineLanes itemId={itemId} picture={picture} zoom={zoom} />
  );
}

function Zoom({ zoom, onZoom }: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  const t = useTranslations('timeline');
  return (
    <>
      <Button look="quiet" aria-label={t('zoomOut')} disabled={zoom === 1} onClick={() => onZoom(zoom / 2)}>
        −
      </Button>
      <Button look="quiet" disabled={zoom === 1} onClick={() => onZoom(1)}>
        {t('fit')}
      </Button>
      <Button look="quiet" aria-label={t('zoomIn')} disabled={zoom >= MOST_ZOOM} onClick={() => onZoom(zoom * 2)}>
        +
      </Button>
    </>
  );
}
