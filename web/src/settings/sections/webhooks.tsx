import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AddedWebhook } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { webhooksQuery } from '../queries.ts';
import { SecretOnce } from '../secret-once.tsx';
import css from '../settings.module.css';
import { WebhookCard } from '../webhook-card.tsx';
import { WebhookForm } from '../webhook-form.tsx';

/** Programs that are told what happens. */
export function WebhooksSection() {
  const t = useTranslations('settings.webhooks');
  const { data, error, refetch } = useQuery({ ...webhooksQuery, staleTime: 0 });
  const [added, setAdded] = useState<AddedWebhook>();
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <div className={css.skeleton} aria-busy="true" />;
  return (
    <>
      {data.webhooks.length === 0 && <p className="muted">{t('none')}</p>}
      {data.webhooks.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} />
      ))}
      {added && (
        <SecretOnce text={t('added')} secret={added.secret} done={t('done')} onDone={() => setAdded(undefined)} />
      )}
      <WebhookForm onAdded={setAdded} />
    </>
  );
}
