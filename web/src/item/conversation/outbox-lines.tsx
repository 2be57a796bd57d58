import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { useConnection } from '../../shell/live.ts';
import css from './conversation.module.css';
import { discard, isSaid, sendAgain, useOutbox } from './outbox.ts';

/** What was written and is not there yet. */
export function OutboxLines({ itemId, entries }: { readonly itemId: string; readonly entries: readonly Entry[] }) {
  const t = useTranslations('talk');
  const outgoing = useOutbox(itemId).filter((message) => !isSaid(message, entries));
  const isLost = useConnection().state === 'lost';
  if (outgoing.length === 0) return null;
  return (
    <ol className={css.entries}>
      {outgoing.map(({ clientMessageId, text, problem }) => (
        <li key={clientMessageId} className={`${css.entry} ${css.mine} ${css.pending}`}>
          <p className={css.words} dir="auto">
            {text}
          </p>
          {problem === undefined ? (
            <p className="small muted">{t(isLost ? 'waitsForServer' : 'sending')}</p>
          ) : (
            <div role="alert" className={css.unsent}>
              <p className={`small ${css.lost}`}>
                {t('notSent')} {problem}
              </p>
              <Button onClick={() => sendAgain(clientMessageId)}>{t('sendAgain')}</Button>
              <Button look="quiet" onClick={() => discard(clientMessageId)}>
                {t('discard')}
              </Button>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
