import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Action, Item, Request } from '../../../../src/client/index.ts';
import { requestsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/mark.tsx';
import { questionOf } from '../../inbox/question.ts';
import { answerTo } from '../conversation/write-to.ts';
import css from './actions.module.css';

interface Props {
  readonly item: Item;
  readonly action: Action;
}

/** What an Action that waits or has failed needs from a person; it is answered where all is: in the conversation. */
export function ActionAsks({ item, action }: Props) {
  const t = useTranslations('actions');
  const isAsked = item.counts.requests > 0;
  const { data } = useQuery({ ...requestsQuery(item.id), enabled: isAsked });
  if (isAsked && !data) return null;
  const own = isAsked ? (data?.requests ?? []).filter(({ subject }) => subject.actionId === action.id) : [];
  const isLeft = own.length === 0 && action.status === 'failed' && action.can.retry.allowed;
  if (isLeft) return <p className="small muted">{t('failedNext')}</p>;
  return own.map((request) => <Ask key={request.id} itemId={item.id} request={request} />);
}

function Ask({ itemId, request }: { readonly itemId: string; readonly request: Request }) {
  const t = useTranslations();
  return (
    <section className={`${css.box} ${css.asks}`}>
      <Mark tone="needs">{t(`request.${request.kind}`)}</Mark>
      <p className={css.words} dir="auto">
        {questionOf(request)}
      </p>
      {request.can.answer.allowed ? (
        <Button onClick={() => answerTo(itemId, request.id)}>{t('actions.answerIt')}</Button>
      ) : (
        <p className="small muted">{t('request.cannot', { reason: request.can.answer.reason })}</p>
      )}
    </section>
  );
}
