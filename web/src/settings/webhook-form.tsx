import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type AddedWebhook, onceUnder } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { useKeptText } from '../shell/kept.ts';
import { webhooksQuery } from './queries.ts';
import css from './settings.module.css';
import { EVENTS } from './webhook-events.ts';

/** Another receiver. Sent again after a lost answer it is still one. */
export function WebhookForm({ onAdded }: { readonly onAdded: (webhook: AddedWebhook) => void }) {
  const t = useTranslations('settings.webhooks');
  const [url, setUrl] = useKeptText('webhook');
  const [events, setEvents] = useState<typeof EVENTS>(EVENTS);
  const key = useRef(crypto.randomUUID());
  const add = useMutation({
    mutationFn: (to: string) =>
      asked(
        client.post('/api/v1/webhooks', {
          params: { header: onceUnder(key.current) },
          body: { url: to.trim(), ...(events.length === EVENTS.length ? {} : { events: [...events] }) },
        }),
      ),
    onSuccess: (webhook, to) => {
      key.current = crypto.randomUUID();
      if (url === to) setUrl('');
      onAdded(webhook);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const toggle = (event: (typeof EVENTS)[number]): void =>
    setEvents((before) => EVENTS.filter((each) => (each === event ? !before.includes(each) : before.includes(each))));
  return (
    <form
      className={`${css.card} ${css.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim() !== '' && events.length > 0 && !add.isPending) add.mutate(url);
      }}
    >
      <label>
        {t('url')}
        <input
          type="url"
          className={css.input}
          value={url}
          maxLength={4_000}
          placeholder="https://example.org/hooks/workcenter"
          onChange={(event) => setUrl(event.target.value)}
        />
      </label>
      <fieldset>
        <legend>{t('events')}</legend>
        <div className={css.checks}>
          {EVENTS.map((event) => (
            <label key={event}>
              <input type="checkbox" checked={events.includes(event)} onChange={() => toggle(event)} />
              <code>{event}</code>
            </label>
          ))}
        </div>
      </fieldset>
      {add.error && <ProblemNotice problem={problemOf(add.error)} />}
      <Button type="submit" busy={add.isPending} disabled={url.trim() === '' || events.length === 0}>
        {t('add')}
      </Button>
    </form>
  );
}
