import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { problemOf } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { ListBeside } from '../components/list-beside.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { useNarrow } from '../shell/narrow.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import { enterCard, useEnterCard } from './enter-card.ts';
import css from './inbox.module.css';
import { InboxDetail } from './inbox-detail.tsx';
import { InboxList } from './inbox-list.tsx';
import { Pager } from './pager.tsx';
import { useInbox } from './use-inbox.ts';
import { useSelection } from './use-selection.ts';

/** Everything that waits for a person, over all work: by keyboard on a desk, card by card on a phone. */
export function InboxPage() {
  const t = useTranslations('inbox');
  const [, navigate] = useLocation();
  const narrow = useNarrow();
  const { query, lines, settle } = useInbox();
  const { shown, hasLeft, select } = useSelection(lines);
  const at = lines.findIndex(({ key }) => key === shown?.key);
  const step = (by: number) => () => {
    const next = lines[Math.min(Math.max(at + by, 0), lines.length - 1)];
    if (next) select(next.key);
  };
  useShortcuts({ next: step(1), previous: step(-1), openItem: () => shown && navigate(`/work/${shown.line.item.id}`) });
  useScrolledTo(shown?.key);
  useEnterCard();
  const list = (selected: string) => (
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
        {narrow && lines.length > 1 && <Pager at={at} of={lines.length} onPrevious={step(-1)} onNext={step(1)} />}
      </header>
      {query.isError && <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />}
      {query.isPending && <div className={css.skeleton} aria-busy="true" />}
      {query.isSuccess && !shown && <Nothing />}
      {shown && (
        <ListBeside list={narrow ? undefined : list(shown.key)}>
          <InboxDetail
            key={shown.key}
            shown={shown}
            hasLeft={hasLeft}
            onNext={() => select(lines.find(({ key, result }) => key !== shown.key && result === undefined)?.key)}
            onSettled={(result) => settle(shown.line, result)}
          />
        </ListBeside>
      )}
    </div>
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
