import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Action, type Can, type Item, onceUnder } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { writeTo } from '../conversation/write-to.ts';
import { ActionForm } from './action-form.tsx';
import css from './actions.module.css';

export type Change = 'redirect' | 'retry' | 'close';

export interface Said {
  readonly change: Change;
  readonly text: string;
  readonly cascade: boolean;
}

/** Against the generation that was seen, so a change that came too late touches nothing. */
function send(itemId: string, { id: actionId, generation }: Action, { change, text, cascade }: Said): Promise<Item> {
  const header = onceUnder(`page-${change}-${actionId}-${generation}`);
  const params = { path: { id: itemId, actionId }, header };
  if (change === 'redirect') {
    const body = { generation, guidance: text };
    return asked(client.post('/api/v1/work-items/{id}/actions/{actionId}/redirect', { params, body }));
  }
  if (change === 'close') {
    const body = { generation, reason: text, cascade };
    return asked(client.post('/api/v1/work-items/{id}/actions/{actionId}/close', { params, body }));
  }
  const body = { generation, ...(text === '' ? {} : { guidance: text }) };
  return asked(client.post('/api/v1/work-items/{id}/actions/{actionId}/retry', { params, body }));
}

const CHANGES = ['redirect', 'retry', 'close'] as const;
const isAllowed = (can: Can): boolean => can.allowed;
const reasonOf = (can: Can): string | undefined => (can.allowed ? undefined : can.reason);

/** What a person may do to it now; what they may not says why. A refusal stays in front of the words that it refused. */
export function ActionControls({ item, action }: { readonly item: Item; readonly action: Action }) {
  const t = useTranslations('actions');
  const [open, setOpen] = useState<Change | undefined>(undefined);
  const change = useMutation({
    mutationFn: (said: Said) => send(item.id, action, said),
    onSuccess: () => setOpen(undefined),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['item', item.id] }),
  });
  const { can, id: actionId, generation, name } = action;
  const begin = (which: Change): void => {
    change.reset();
    setOpen(which);
  };
  const barred = CHANGES.every((each) => !isAllowed(can[each])) && !isAllowed(can.message);
  if (barred) return <p className="small faint">{t('nothingNow', { reason: reasonOf(can.retry) ?? '' })}</p>;
  return (
    <>
      <div className={css.controls}>
        <Button
          disabled={!isAllowed(can.message)}
          title={reasonOf(can.message)}
          onClick={() => writeTo(item.id, { actionId, generation, name })}
        >
          {t('message')}
        </Button>
        {CHANGES.map((each) => (
          <Button
            key={each}
            look="quiet"
            disabled={!isAllowed(can[each])}
            title={reasonOf(can[each])}
            onClick={() => begin(each)}
          >
            {t(each)}…
          </Button>
        ))}
      </div>
      {open !== undefined && (
        <Dialog open onOpenChange={() => setOpen(undefined)} title={t(`${open}Title`)} description={t(`${open}Text`)}>
          {change.error && <ProblemNotice problem={problemOf(change.error)} />}
          <ActionForm change={open} busy={change.isPending} onSend={change.mutate} />
        </Dialog>
      )}
    </>
  );
}
