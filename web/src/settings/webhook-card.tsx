import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Delivery, Webhook } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { useSingle } from '../api/use-single.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { Ago } from '../components/values.tsx';
import { DeliveryLine, DeliveryLog } from './delivery-log.tsx';
import { webhooksQuery } from './queries.ts';
import css from './settings.module.css';
import { SureDialog } from './sure-dialog.tsx';
import { EVENTS } from './webhook-events.ts';

const again = () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });

/** One receiver: where, of what, how it is doing, and what may be done with it. */
export function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const t = useTranslations('settings.webhooks');
  const [isLogOpen, setLogOpen] = useState(false);
  const params = { path: { id: webhook.id } };
  const test = useMutation({
    mutationFn: (): Promise<Delivery> => asked(client.post('/api/v1/webhooks/{id}/test', { params, body: {} })),
    onSettled: again,
  });
  const enable = useMutation({
    mutationFn: () => asked(client.post('/api/v1/webhooks/{id}/enable', { params, body: {} })),
    onSettled: again,
  });
  const sendTest = useSingle(test);
  const error = test.error ?? enable.error;
  return (
    <article className={css.card} aria-label={webhook.url}>
      <header>
        <p className="mono">{webhook.url}</p>
        <p className={css.help}>
          {webhook.events.length === EVENTS.length ? t('all') : webhook.events.join(', ')} ·{' '}
          <Ago at={webhook.createdAt} />
        </p>
      </header>
      <Health webhook={webhook} />
      <div className={css.line}>
        <Button busy={test.isPending} onClick={() => sendTest()}>
          {t('test')}
        </Button>
        {webhook.disabled && (
          <Button look="primary" busy={enable.isPending} onClick={() => enable.mutate()}>
            {t('enable')}
          </Button>
        )}
        <Button look="quiet" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
          {t(isLogOpen ? 'hideLog' : 'log')}
        </Button>
        <Remove webhook={webhook} />
      </div>
      {error && <ProblemNotice problem={problemOf(error)} />}
      {test.data && !isLogOpen && <DeliveryLine delivery={test.data} />}
      {isLogOpen && <DeliveryLog id={webhook.id} />}
    </article>
  );
}

function Health({ webhook: { disabled, failingSince } }: { readonly webhook: Webhook }) {
  const t = useTranslations('settings.webhooks');
  if (disabled) return <Mark tone="held">{t('disabled', { reason: disabled.reason })}</Mark>;
  if (failingSince === null) return <Mark tone="proven">{t('healthy')}</Mark>;
  return (
    <p>
      <Mark tone="failed">{t('failing')}</Mark> <Ago at={failingSince} />
    </p>
  );
}

function Remove({ webhook: { id, url } }: { readonly webhook: Webhook }) {
  const t = useTranslations('settings.webhooks');
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => asked(client.delete('/api/v1/webhooks/{id}', { params: { path: { id } } })),
    onSuccess: () => setAsking(false),
    onSettled: again,
  });
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t('remove')}…
      </Button>
      <SureDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('removeNow')}
        text={t('removeSure')}
        doIt={t('removeNow')}
        busy={remove.isPending}
        error={remove.error}
        onDo={() => remove.mutate()}
      >
        <p className="mono">{url}</p>
      </SureDialog>
    </>
  );
}
