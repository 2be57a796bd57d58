import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Action } from '../../../../src/client/index.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { LimitedText } from '../../components/limited-text.tsx';
import { send } from '../conversation/outbox.ts';
import css from './diff-talk.module.css';
import { dropLineDraft, writeLineDraft } from './line-drafts.ts';
import { useLineTalk } from './line-talk-context.ts';
import { type LineQuote, quoteOfKey } from './place.ts';
import { useAuthor } from './use-author.ts';

const MOST_CHARS = 8_000;

type Whom = 'coordinator' | 'action';

interface Props {
  /** Of the line; it says where the line is and what is in it. */
  readonly lineKey: string;
  /** Undefined: the line is no longer there, and nobody is known to have written it. */
  readonly path?: string;
}

const targetOf = (whom: Whom, author: Action | undefined) =>
  whom === 'action' && author
    ? ({ kind: 'action', actionId: author.id, generation: author.generation } as const)
    : ({ kind: 'coordinator' } as const);

/** Whoever wrote goes on in the list around the box, which goes away. */
function leave(form: HTMLElement | null): void {
  if (!form?.contains(document.activeElement)) return;
  form.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
}

/** Words about one line, to whom one chooses. It is a message like any other, with the line as its quote. */
export function LineComposer({ lineKey, path = '' }: Props) {
  const t = useTranslations('diff');
  const { item, source, drafts } = useLineTalk();
  const author = useAuthor(source, path);
  const mayAsk = author?.can.message.allowed === true;
  const [chosen, choose] = useState<Whom>();
  const whom = chosen ?? (mayAsk ? 'action' : 'coordinator');
  const text = drafts[lineKey] ?? '';
  const quote = quoteOfKey(lineKey);
  const form = useRef<HTMLFormElement>(null);
  const drop = (): void => {
    leave(form.current);
    dropLineDraft(item.id, lineKey);
  };
  const can = item.can.message;
  const isOver = item.status === 'done' && !mayAsk && !can.allowed;
  const isReady = text.trim() !== '' && (whom === 'action' ? mayAsk : can.allowed);
  const submit = (): void => {
    if (!isReady) return;
    const clientMessageId = crypto.randomUUID();
    send({ itemId: item.id, target: targetOf(whom, author), text: text.trim(), quote, clientMessageId });
    drop();
  };
  const press = (event: KeyboardEvent): void => {
    // Keys of the list are not for who writes.
    event.stopPropagation();
    if (event.key === 'Escape' && text === '') drop();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
  };
  return (
    <form
      ref={form}
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <LimitedText
        autoFocus={text === ''}
        value={text}
        rows={2}
        limit={MOST_CHARS}
        aria-label={t('comment', { place: quote.from })}
        placeholder={t('comment', { place: quote.from })}
        onChange={(written) => writeLineDraft(item.id, lineKey, written)}
        onKeyDown={press}
      />
      {isOver ? (
        <p className="small muted">{t('over')}</p>
      ) : (
        <WhomChoice whom={whom} onChoose={choose} author={author} />
      )}
      <div className={css.buttons}>
        {isOver ? <FollowUp directory={item.directory} text={text} quote={quote} /> : <Send isReady={isReady} />}
        <Button look="quiet" onClick={drop}>
          {text === '' ? t('cancel') : t('discard')}
        </Button>
      </div>
    </form>
  );
}

function Send({ isReady }: { readonly isReady: boolean }) {
  const t = useTranslations('diff');
  return (
    <>
      <Button type="submit" look="primary" disabled={!isReady}>
        {t('send')}
      </Button>
      <Kbd keys="mod+enter" />
    </>
  );
}

interface FollowUpProps {
  readonly directory: string;
  readonly text: string;
  readonly quote: LineQuote;
}

/** Nobody hears of work that is done: what is said about it becomes the goal of new work. */
function FollowUp({ directory, text, quote }: FollowUpProps) {
  const t = useTranslations('diff');
  const goal = `${text.trim()}\n\n${quote.from}:\n${quote.text}`.trim();
  return <ButtonLink href={`/new?${new URLSearchParams({ directory, goal })}`}>{t('followUp')}</ButtonLink>;
}

interface ChoiceProps {
  readonly whom: Whom;
  readonly onChoose: (whom: Whom) => void;
  readonly author: Action | undefined;
}

/** Both are there as far as they can be spoken to; who cannot says why. */
function WhomChoice({ whom, onChoose, author }: ChoiceProps) {
  const t = useTranslations('diff');
  const { item } = useLineTalk();
  const name = useId();
  const choices = [
    ...(author
      ? [{ value: 'action' as const, can: author.can.message, label: t('toAction', { name: author.name }) }]
      : []),
    { value: 'coordinator' as const, can: item.can.message, label: t('toCoordinator') },
  ];
  return (
    <fieldset className={css.whom}>
      <legend className="sr-only">{t('whom')}</legend>
      {choices.map(({ value, can, label }) => (
        <label key={value} className={can.allowed ? undefined : 'faint'}>
          <input
            type="radio"
            name={name}
            checked={whom === value}
            disabled={!can.allowed}
            onChange={() => onChoose(value)}
          />
          <span>
            {label}
            {!can.allowed && ` — ${can.reason}`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
