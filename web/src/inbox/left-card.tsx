import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/mark.tsx';
import css from '../item/conversation/conversation.module.css';
import type { AskedThing, Decision } from '../item/conversation/decisions.ts';
import { draftOf } from '../item/conversation/drafts.ts';
import { writeAnew } from '../item/conversation/write-to.ts';
import choices from './choices.module.css';
import { questionOf } from './question.ts';
import { draftKey } from './use-answer.ts';
import { useChoiceName } from './use-choice-name.ts';

interface Props {
  readonly itemId: string;
  readonly request: AskedThing;
  /** How it ended, as soon as that is known. */
  readonly decision: Decision | undefined;
  /** Puts it away, with the words in it; left out where another way leads on. */
  readonly onDismiss?: () => void;
  /** The work takes messages, so that the words can go into one. */
  readonly takesMessages?: boolean;
}

/** Something that was asked and does not wait any more: what became of it, and what was being written for it. */
export function LeftCard({ itemId, request, decision, onDismiss, takesMessages = false }: Props) {
  const t = useTranslations();
  const title = useId();
  const [words] = useState(() => draftOf(draftKey(itemId, request.id)));
  const takeAlong = (): void => {
    writeAnew(itemId, { text: words });
    onDismiss?.();
  };
  return (
    <article className={`${css.ask} ${css.left}`} aria-labelledby={title}>
      <header className={css.askHead}>
        <Mark tone="quiet">{t(`request.${request.kind}`)}</Mark>
      </header>
      <h2 id={title} dir="auto" className={`${css.words} ${css.question}`}>
        {questionOf(request)}
      </h2>
      <Ending request={request} decision={decision} />
      {words !== '' && (
        <div className={choices.words}>
          <p className="small muted">{t('inbox.wordsKept')}</p>
          <textarea value={words} rows={2} dir="auto" readOnly aria-label={t('request.answerPlaceholder')} />
        </div>
      )}
      {onDismiss && (
        <div className={choices.choices}>
          {words !== '' && takesMessages && <Button onClick={takeAlong}>{t('inbox.takeAlong')}</Button>}
          <Button look="quiet" onClick={onDismiss}>
            {words === '' ? t('inbox.dismiss') : t('inbox.dismissWords')}
          </Button>
        </div>
      )}
    </article>
  );
}

/** Which answer was first. */
function Ending({ request, decision }: Pick<Props, 'request' | 'decision'>) {
  const t = useTranslations('inbox');
  const named = useChoiceName(request);
  if (!decision) return <p role="status">{t('gone')}</p>;
  if (decision.choice === null) return <p role="status">{t('withdrawn')}</p>;
  const said = decision.choice === 'text' ? decision.text : named(decision.choice);
  return (
    <p role="status" className={css.words} dir="auto">
      {t('answeredElsewhere', { choice: said.slice(0, 400) })}
    </p>
  );
}
