import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { problemOf } from '../api/client.ts';
import { itemQuery } from '../api/queries.ts';
import { ProblemNotice } from '../components/problem.tsx';
import { ErrorBoundary } from '../shell/error-boundary.tsx';
import { Loading } from '../shell/loading.tsx';
import { NoSuchItem } from '../shell/not-found.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { Halves } from './halves.tsx';
import css from './item.module.css';
import { ItemHead } from './item-head.tsx';
import { Pane } from './pane/pane.tsx';

/** One piece of work: left what was said, the only place to write; right what is, for reading. */
export function ItemPage() {
  const { id = '' } = useParams();
  const { data: item, error, refetch } = useQuery(itemQuery(id));
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
  return (
    <div className={css.page}>
      <PageTitle name={item.title} />
      <ItemHead item={item} />
      <Halves key={item.id} itemId={item.id} talk={talk} pane={<Pane item={item} />} />
    </div>
  );
}
