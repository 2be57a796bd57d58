import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
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
import { useWriteTo } from './conversation/write-to.ts';
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
      {narrow ? (
        <Tabbed key={item.id} itemId={item.id} talk={talk} pane={pane} />
      ) : (
        <Divided left={talk} right={pane} />
      )}
    </div>
  );
}

interface TabbedProps {
  readonly itemId: string;
  readonly talk: ReactNode;
  readonly pane: ReactNode;
}

/** On a narrow page one of them is in sight: a link into the content shows it, writing shows the conversation. */
function Tabbed({ itemId, talk, pane }: TabbedProps) {
  const t = useTranslations('item');
  const { '*': address = '' } = useParams();
  const [shownAddress, setShownAddress] = useState('');
  const [shown, setShown] = useState('talk');
  if (address !== shownAddress) {
    setShownAddress(address);
    if (address !== '') setShown('pane');
  }
  useWriteTo(itemId, () => setShown('talk'));
  return (
    <Tabs.Root value={shown} onValueChange={setShown} className={css.tabbed}>
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
