import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
import type { Change, Said } from './change.ts';
import { forgetWords } from './kept-words.ts';

/** The same words again, after an answer that was lost, act once; other words are another change. */
interface Sent extends Said {
  readonly key: string;
}

/** Against the generation that was seen, so a change that came too late touches nothing. */
function send(itemId: string, { id: actionId, generation }: Action, said: Sent): Promise<Item> {
  const { change, text, cascade, key } = said;
  const header = onceUnder(key);
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
const reasonOf = (can: Can): string | undefined => (can.allowed ? undefined : can.reason);

function useKey(): (said: Said) => string {
  const last = useRef({ words: '', key: '' });
  return (said) => {
    const words = JSON.stringify(said);
    if (last.current.words !== words) last.current = { words, key: `page-${crypto.randomUUID()}` };
    return last.current.key;
  };
}

/** A change that is being written, against the Action as it was seen then. */
interface Begun {
  readonly change: Change;
  readonly action: Action;
}

/** What a person may do to it now; what they may not says why. A refusal stays in front of the words that it refused. */
export function ActionControls({ item, action }: { readonly item: Item; readonly action: Action }) {
  const t = useTranslations('actions');
  const [begun, setBegun] = useState<Begun | undefined>(undefined);
  const keyOf = useKey();
  const change = useMutation({
    mutationFn: (said: Said) => send(item.id, begun?.action ?? action, { ...said, key: keyOf(said) }),
    onSuccess: (_item, said) => {
      forgetWords(item.id, action.id, said.change);
      setBegun(undefined);
    },
    onSettled: (_item, error) => {
      const read = queryClient.invalidateQueries({ queryKey: ['item', item.id] });
      // A refusal is told at once.
      return error ? undefined : read;
    },
  });
  const begin = (which: Change): void => {
    change.reset();
    setBegun({ change: which, action });
  };
  return (
    <>
      <Choices item={item} action={action} onBegin={begin} />
      {begun && (
        <Dialog
          open
          onOpenChange={() => setBegun(undefined)}
          title={t(`${begun.change}Title`)}
          description={t(`${begun.change}Text`)}
        >
          {change.error && <ProblemNotice problem={problemOf(change.error)} />}
          <ActionForm {...{ itemId: item.id, ...begun }} busy={change.isPending} onSend={change.mutate} />
        </Dialog>
      )}
    </>
  );
}

interface ChoicesProps {
  readonly item: Item;
  readonly action: Action;
  readonly onBegin: (change: Change) => void;
}

function Choices({ item, action, onBegin }: ChoicesProps) {
  const t = useTranslations('actions');
  const { can, id: actionId, generation, name } = action;
  const isBarred = !can.message.allowed && CHANGES.every((each) => !can[each].allowed);
  if (isBarred) return <p className="small faint">{t('nothingNow', { reason: reasonOf(can.retry) ?? '' })}</p>;
  return (
    <div className={css.controls}>
      <Button
        disabled={!can.message.allowed}
        title={reasonOf(can.message)}
        onClick={() => writeTo(item.id, { actionId, generation, name })}
      >
        {t('message')}
      </Button>
      {CHANGES.map((each) => (
        <Button
          key={each}
          look="quiet"
          disabled={!can[each].allowed}
          title={reasonOf(can[each])}
          onClick={() => onBegin(each)}
        >
          {t(each)}…
        </Button>
      ))}
    </div>
  );
}
