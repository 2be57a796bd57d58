import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Can, type Item, onceUnder } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { LimitedText } from '../components/limited-text.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { keepAt, useKeptText } from '../shell/kept.ts';
import css from './item.module.css';

type Control = 'start' | 'reopen' | 'resume' | 'stop';

/** A control is one request under one key: pressed again after a lost answer it acts once. */
function send(item: Item, control: Control, reason: string): Promise<Item> {
  const path = { path: { id: item.id }, header: onceUnder(`page-${control}-${item.version}`) };
  if (control === 'start') return asked(client.post('/api/v1/work-items/{id}/start', { params: path, body: {} }));
  if (control === 'reopen') return asked(client.post('/api/v1/work-items/{id}/reopen', { params: path, body: {} }));
  if (control === 'stop') return asked(client.post('/api/v1/work-items/{id}/stop', { params: path, body: { reason } }));
  const { controlVersion } = item;
  return asked(client.post('/api/v1/work-items/{id}/resume', { params: path, body: { controlVersion } }));
}

const stopKey = (itemId: string): string => `stop.${itemId}`;

const allowed = (can: Can | undefined): boolean => can?.allowed === true;

/** What may be done with the whole of it now: the server's word. */
export function ItemControls({ item }: { readonly item: Item }) {
  const t = useTranslations('item');
  const [stopping, setStopping] = useState(false);
  const control = useMutation({
    mutationFn: ({ name, reason = '' }: { readonly name: Control; readonly reason?: string }) =>
      send(item, name, reason),
    onSuccess: (next, { name }) => {
      if (name === 'stop') keepAt(stopKey(item.id), undefined);
      setStopping(false);
      queryClient.setQueryData(['item', item.id], next);
    },
  });
  const shown = (['start', 'resume', 'reopen'] as const).filter((name) => allowed(item.can[name]));
  return (
    <>
      <div className={css.controls}>
        {shown.map((name) => (
          <Button key={name} look="primary" busy={control.isPending} onClick={() => control.mutate({ name })}>
            {t(name)}
          </Button>
        ))}
        {allowed(item.can.stop) && (
          <Button look="quiet" onClick={() => setStopping(true)}>
            {t('stop')}…
          </Button>
        )}
      </div>
      {control.isError && !stopping && (
        <div className={css.refusal}>
          <ProblemNotice problem={problemOf(control.error)} />
        </div>
      )}
      <Dialog open={stopping} onOpenChange={setStopping} title={t('stopTitle')} description={t('stopText')}>
        {control.isError && <ProblemNotice problem={problemOf(control.error)} />}
        <StopForm
          itemId={item.id}
          busy={control.isPending}
          onStop={(reason) => control.mutate({ name: 'stop', reason })}
        />
      </Dialog>
    </>
  );
}

interface StopProps {
  readonly itemId: string;
  readonly busy: boolean;
  readonly onStop: (reason: string) => void;
}

/** What is typed outlives the dialog. */
function StopForm({ itemId, busy, onStop }: StopProps) {
  const t = useTranslations('item');
  const [reason, setReason] = useKeptText(stopKey(itemId));
  const id = useId();
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onStop(reason);
      }}
    >
      <div className={css.field}>
        <label htmlFor={id}>{t('stopReason')}</label>
        <LimitedText id={id} value={reason} rows={3} limit={2_000} onChange={setReason} />
      </div>
      <Button look="danger" type="submit" busy={busy}>
        {t('stopNow')}
      </Button>
    </form>
  );
}
