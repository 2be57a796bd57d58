import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { problemOf } from '../api/client.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { ListBeside } from '../components/list-beside.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { useNarrow } from '../shell/narrow.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { KEYS, useShortcuts } from '../shell/shortcuts.ts';
import { enterCard, useEnterCard } from './enter-card.ts';
import css from './inbox.module.css';
import { InboxDetail } from './inbox-detail.tsx';
import { InboxList } from './inbox-list.tsx';
import { Pager } from './pager.tsx';
import { type ShownLine, useInbox } from './use-inbox.ts';
import { nextOf, useSelection, useWanted } from './use-selection.ts';

/** Everything that waits for a person, over all work: by keyboard on a desk, card by card on a phone. */
export function InboxPage() {
  const t = useTranslations('inbox');
  const [, navigate] = useLocation();
  const narrow = useNarrow();
  const wanted = useWanted();
  const { query, lines, settle } = useInbox(wanted);
  const isWhole = useWhole(query, lines, wanted);
  const { shown, hasLeft, isGone, takesKeys, select } = useSelection(lines, isWhole);
  const at = lines.findIndex(({ key }) => key === shown?.key);
  const step = (by: number) => () => select((nextOf(lines, shown?.key, by) ?? shown)?.key);
  const following = nextOf(lines, shown?.key, 1);
  const onNext = following === undefined || following === shown ? undefined : () => select(following.key);
  useShortcuts({ next: step(1), previous: step(-1), openItem: () => shown && navigate(`/work/${shown.line.item.id}`) });
  useScrolledTo(shown?.key);
  useEnterCard(takesKeys);
  const list = (selected: string | undefined) => (
    <>
      <InboxList lines={lines} {...{ selected }} onSelect={(key) => (key === selected ? enterCard() : select(key))} />
      {query.hasNextPage && (
        <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
  return (
    <div className={css.page}>
      <PageTitle name={t('title')} />
      <header className={css.head}>
        <h1>{t('title')}</h1>
        {narrow && shown && lines.length > 1 && (
          <Pager at={at} of={lines.length} onPrevious={step(-1)} onNext={step(1)} />
        )}
      </header>
      {query.isError && <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <div className={css.skeleton} aria-busy="true" />}
      {query.isSuccess && !shown && !isGone && isWhole && lines.length === 0 && <Nothing />}
      {isGone && (
        <ListBeside list={narrow || lines.length === 0 ? undefined : list(undefined)}>
          <Gone wanted={wanted} onNext={onNext} />
        </ListBeside>
      )}
      {shown && (
        <ListBeside list={narrow ? undefined : list(shown.key)}>
          <InboxDetail
            key={shown.key}
            shown={shown}
            hasLeft={hasLeft}
            onNext={onNext}
            takesKeys={takesKeys}
            onSettled={(result) => settle(shown.line, result)}
          />
        </ListBeside>
      )}
    </div>
  );
}

/** What an address leads to may be on a later page: it is read until that is found, or there is no more. */
function useWhole(
  { data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useInbox>['query'],
  lines: readonly ShownLine[],
  wanted: string | undefined,
): boolean {
  const isMissing = wanted !== undefined && data !== undefined && !lines.some(({ key }) => key === wanted);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, fetchNextPage]);
  return data !== undefined && !(isMissing && hasNextPage);
}

interface GoneProps {
  readonly wanted: string | undefined;
  readonly onNext: (() => void) | undefined;
}

/** An old link or notification: nothing else is put in the place of what it was about. */
function Gone({ wanted = '', onNext }: GoneProps) {
  const t = useTranslations('inbox');
  return (
    <section className={css.detail}>
      <div className={css.gone} role="status">
        <p>{t('gone')}</p>
        <ButtonLink href={`/work/${wanted.split('/')[0]}`}>{t('open')}</ButtonLink>
        {onNext && (
          <Button onClick={onNext}>
            {t('next')} <Kbd keys={KEYS.next} />
          </Button>
        )}
      </div>
    </section>
  );
}

function Nothing() {
  const t = useTranslations('inbox');
  return (
    <div className={css.nothing}>
      <h2>{t('empty')}</h2>
      <p className="muted">{t('emptyText')}</p>
      <Link href="/" className={css.link}>
        {t('toBoard')}
      </Link>
    </div>
  );
}

/** The chosen line is in sight, however it was chosen. */
function useScrolledTo(key: string | undefined): void {
  useEffect(() => {
    if (key === undefined) return;
    document.querySelector(`[data-line="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [key]);
}
