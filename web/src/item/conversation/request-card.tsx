import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Request } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Ago } from '../../components/values.tsx';
import css from './conversation.module.css';

interface Props {
  readonly itemId: string;
  readonly request: Request;
}

/** Something that waits for a person: what, about what, and the choices that it takes. Answered once. */
export function RequestCard({ itemId, request }: Props) {
  const t = useTranslations('request');
  const title = useId();
  const answer = useMutation({
    mutationFn: ({ choice, text = '' }: { readonly choice: string; readonly text?: string }) =>
      asked(
        client.post('/api/v1/work-items/{id}/requests/{requestId}/resolution', {
          params: { path: { id: itemId, requestId: request.id } },
          body: { choice, text, clientMessageId: `page-${request.id}` },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['item', itemId] }),
  });
  const { answer: can } = request.can;
  return (
    <article className={css.ask} aria-labelledby={title}>
      <header className={css.askHead}>
        <Mark tone="needs">{t(request.kind)}</Mark>
        <Ago at={request.openedAt} />
      </header>
      <h2 id={title} dir="auto" className={css.words}>
        {request.question}
      </h2>
      {request.details.length > 0 && (
        <ul className="small muted">
          {request.details.map((detail) => (
            <li key={detail} dir="auto">
              {detail}
            </li>
          ))}
        </ul>
      )}
      {can.allowed ? (
        <Choices request={request} busy={answer.isPending} onAnswer={answer.mutate} />
      ) : (
        <p className="small muted">{t('cannot', { reason: can.reason })}</p>
      )}
      {answer.error && <ProblemNotice problem={problemOf(answer.error)} />}
    </article>
  );
}

interface ChoicesProps {
  readonly request: Request;
  readonly busy: boolean;
  readonly onAnswer: (answer: { readonly choice: string; readonly text?: string }) => void;
}

function Choices({ request, busy, onAnswer }: ChoicesProps) {
  const t = useTranslations('request');
  const [text, setText] = useState('');
  const buttons = request.choices.filter((choice) => choice !== 'text');
  const named = (choice: string): string =>
    t.has(`choice.${choice}` as 'choice.text') ? t(`choice.${choice}` as 'choice.text') : choice.replaceAll('_', ' ');
  return (
    <>
      {request.choices.includes('text') && (
        <form
          className={css.answer}
          onSubmit={(event) => {
            event.preventDefault();
            onAnswer({ choice: 'text', text });
          }}
        >
          {request.options?.map((option) => (
            <Button key={option} busy={busy} onClick={() => onAnswer({ choice: 'text', text: option })}>
              {option}
            </Button>
          ))}
          <textarea
            value={text}
            rows={2}
            maxLength={8_000}
            aria-label={t('answerPlaceholder')}
            placeholder={t('answerPlaceholder')}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" look="primary" busy={busy} disabled={text.trim() === ''}>
            {t('answer')}
          </Button>
        </form>
      )}
      <div className={css.choices}>
        {buttons.map((choice, index) => (
          <Button
            key={choice}
            look={index === 0 ? 'primary' : 'plain'}
            busy={busy}
            onClick={() => onAnswer({ choice })}
          >
            {named(choice)}
          </Button>
        ))}
      </div>
    </>
  );
}
