import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import { Button } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { LimitedText } from '../components/limited-text.tsx';
import { draftOf, keepDraft } from '../item/conversation/drafts.ts';
import css from './choices.module.css';
import { type Answered, draftKey } from './use-answer.ts';
import { useChoiceName } from './use-choice-name.ts';
import { useNumberKeys } from './use-number-keys.ts';

interface Props {
  readonly itemId: string;
  readonly request: Request;
  readonly busy: boolean;
  /** Numbers choose, and say so. */
  readonly byKeys: boolean;
  readonly onAnswer: (answer: Answered) => void;
}

const MOST_CHARS = 8_000;

/** Ways that end something come last and look it. */
const lookOf = (choice: string, index: number) => {
  if (choice === 'stop') return 'quiet';
  return index === 0 ? 'primary' : 'plain';
};

/** The answers that a request takes: ready words, words of one's own, and what each choice does. */
export function Choices({ itemId, request, busy, byKeys, onAnswer }: Props) {
  const named = useChoiceName(request);
  const takesText = request.choices.includes('text');
  const ready = takesText ? (request.options ?? []).map((text) => ({ choice: 'text', text })) : [];
  const others = request.choices.filter((choice) => choice !== 'text').map((choice) => ({ choice, text: '' }));
  const all: readonly Required<Answered>[] = [...ready, ...others];
  const isTaken = busy;
  useNumberKeys(byKeys && !isTaken ? all.length : 0, (index) => {
    const answer = all[index];
    if (answer) onAnswer(answer);
  });
  return (
    <>
      {takesText && <Words itemId={itemId} request={request} busy={busy} onAnswer={onAnswer} />}
      <div className={css.choices}>
        {all.map((answer, index) => (
          <Button
            key={`${answer.choice} ${answer.text}`}
            look={takesText ? (answer.choice === 'stop' ? 'quiet' : 'plain') : lookOf(answer.choice, index)}
            className={css.choice ?? ''}
            busy={busy}
            onClick={() => onAnswer(answer)}
          >
            {byKeys && index < 9 && <Kbd keys={`${index + 1}`} />}
            <span dir="auto">{answer.text === '' ? named(answer.choice) : answer.text}</span>
          </Button>
        ))}
      </div>
    </>
  );
}

/** What is being written is kept until the server has it. */
function Words({ itemId, request, busy, onAnswer }: Omit<Props, 'byKeys'>) {
  const t = useTranslations('request');
  const key = draftKey(itemId, request.id);
  const [text, setText] = useState(() => draftOf(key));
  const form = useRef<HTMLFormElement>(null);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (!event.repeat) form.current?.requestSubmit();
  };
  return (
    <form
      ref={form}
      className={css.words}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !busy) onAnswer({ choice: 'text', text: text.trim() });
      }}
    >
      <LimitedText
        value={text}
        rows={2}
        limit={MOST_CHARS}
        // Words written now would not be in what was sent, and would go with it.
        readOnly={busy}
        aria-busy={busy}
        aria-label={t('answerPlaceholder')}
        placeholder={t('answerPlaceholder')}
        onKeyDown={press}
        onChange={(written) => {
          setText(written);
          keepDraft(key, written);
        }}
      />
      <Button type="submit" look="primary" busy={busy} disabled={text.trim() === ''}>
        {t('answer')} <Kbd keys="mod+enter" />
      </Button>
    </form>
  );
}
