import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useParams } from 'wouter';
import { problemOf } from '../api/client.ts';
import { itemQuery } from '../api/queries.ts';
import { ProblemNotice } from '../components/problem.tsx';
import { ErrorBoundary } from '../shell/error-boundary.tsx';
import { Loading } from '../shell/loading.tsx';
import { useNarrow } from '../shell/narrow.ts';
import { NoSuchItem } from '../shell/not-found.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { Divided } from './divided.tsx';
import css from './item.module.css';
import { ItemHead } from './item-head.tsx';
import { Pane } from './pane/pane.tsx';

/** One piece of work: left what was said, the only place to write; right what is, for reading. */
export function ItemPage() {
  const { id = '' } = useParams();
  const { data: item, error, refetch } = useQuery(itemQuery(id));
  const narrow = useNarrow();
  if (error && problemOf(error).status === 404) return <NoSuchItem id={id} />;
  if (error && !item) {
    return (
      <div className={css.lost}>
        <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!item) return <Loading />;
  const talk = (
    <ErrorBoundary extent="part" place={item.id}>
      <Conversation key={item.id} item={item} />
    </ErrorBoundary>
  );
  const pane = <Pane item={item} />;
  return (
    <div className={css.page}>
      <PageTitle name={item.title} />
      <ItemHead item={item} />
      {narrow ? <Tabbed talk={talk} pane={pane} /> : <Divided left={talk} right={pane} />}
    </div>
  );
}

function Tabbed({ talk, pane }: { readonly talk: ReactNode; readonly pane: ReactNode }) {
  const t = useTranslations('item');
  return (
    <Tabs.Root defaultValue="talk" className={css.tabbed}>
      <Tabs.List className={css.tabs}>
        <Tabs.Trigger value="talk">{t('conversation')}</Tabs.Trigger>
        <Tabs.Trigger value="pane">{t('content')}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="talk" forceMount>
        {talk}
      </Tabs.Content>
      <Tabs.Content value="pane" forceMount>
        {pane}
      </Tabs.Content>
    </Tabs.Root>
  );
}
