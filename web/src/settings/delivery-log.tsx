import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Delivery } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { Ago, duration } from '../components/values.tsx';
import { deliveriesQuery } from './queries.ts';
import css from './settings.module.css';

/** What one receiver was told, newest first. */
export function DeliveryLog({ id }: { readonly id: string }) {
  const t = useTranslations('settings.webhooks');
  const log = useInfiniteQuery({ ...deliveriesQuery(id), staleTime: 0 });
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  if (log.error) return <ProblemNotice problem={problemOf(log.error)} onRetry={() => void log.refetch()} />;
  return (
    <>
      {log.isSuccess && deliveries.length === 0 && <p className="muted">{t('noLog')}</p>}
      <ol className={css.log}>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryLine delivery={delivery} />
          </li>
        ))}
      </ol>
      {log.hasNextPage && (
        <Button look="quiet" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

const TONES = { waiting: 'working', delivered: 'proven', failed: 'failed' } as const;

/** One delivery with every attempt; what was sent opens beneath. */
export function DeliveryLine({ delivery }: { readonly delivery: Delivery }) {
  const t = useTranslations('settings.webhooks');
  const { id, webhookId, type, state, createdAt, nextAt, attempts, body, itemId } = delivery;
  const retry = useMutation({
    mutationFn: () =>
      asked(
        client.post('/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry', {
          params: { path: { id: webhookId, deliveryId: id } },
          body: {},
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks', webhookId] }),
  });
  return (
    <details>
      <summary>
        <span className={css.summary}>
          <Mark tone={TONES[state]}>{t(`state.${state}`)}</Mark>
          <code>{type}</code>
          {itemId !== null && <code className="faint">{itemId}</code>}
          <Ago at={createdAt} />
          <span className="small muted">{t('attempts', { n: attempts.length })}</span>
          {nextAt !== null && (
            <span className="small muted">
              {t('next')} <time dateTime={nextAt}>{new Date(nextAt).toLocaleTimeString()}</time>
            </span>
          )}
        </span>
      </summary>
      <ul>
        {attempts.map((attempt) => (
          <li key={attempt.at} className="small">
            <Ago at={attempt.at} /> · {attempt.status ?? attempt.error ?? t('noAnswer')} ·{' '}
            {duration(attempt.durationMs)}
            {attempt.answer !== '' && <pre className={css.pre}>{attempt.answer}</pre>}
          </li>
        ))}
      </ul>
      <p className={css.help}>{t('body')}</p>
      <pre className={css.pre}>{body}</pre>
      {retry.error && <ProblemNotice problem={problemOf(retry.error)} />}
      {itemId !== null && (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          {t('retry')}
        </Button>
      )}
    </details>
  );
}
