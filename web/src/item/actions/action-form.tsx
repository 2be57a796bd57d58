import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Action } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { LimitedText } from '../../components/limited-text.tsx';
import css from './actions.module.css';
import type { Change, Said } from './change.ts';
import { keepWords, keptWords } from './kept-words.ts';

const MOST_CHARS = 8_000;

interface Props {
  readonly itemId: string;
  readonly action: Action;
  readonly change: Change;
  readonly busy: boolean;
  readonly onSend: (said: Said) => void;
}

/** The words that go with a change; a redirection without any would say nothing. */
export function ActionForm({ itemId, action, change, busy, onSend }: Props) {
  const t = useTranslations('actions');
  const [text, setText] = useState(() => keptWords(itemId, action.id, change));
  const write = (next: string): void => {
    setText(next);
    keepWords(itemId, action.id, change, next);
  };
  const [cascade, setCascade] = useState(false);
  const id = useId();
  const isMissing = change === 'redirect' && text.trim() === '';
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing) onSend({ change, text: text.trim(), cascade });
      }}
    >
      <div className={css.field}>
        <label htmlFor={id}>{t(`${change}Label`)}</label>
        <LimitedText autoFocus id={id} value={text} rows={4} limit={MOST_CHARS} onChange={write} />
      </div>
      {change === 'close' && (
        <label className={css.check}>
          <input type="checkbox" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />
          {t('cascade')}
        </label>
      )}
      <Button look={change === 'close' ? 'danger' : 'primary'} type="submit" busy={busy} disabled={isMissing}>
        {t(`${change}Now`)}
      </Button>
    </form>
  );
}
