import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import css from './conversation.module.css';
import { discard, type Outgoing, sendAgain } from './outbox.ts';

interface Props {
  readonly message: Outgoing;
  readonly problem: string;
  /** Puts its words back to where they were written; the message itself is gone by then. */
  readonly onTakeBack: () => void;
}

/** A message that was refused: sent again as it was, where that may help, taken back to be written anew, or let go. */
export function Refused({ message: { clientMessageId: id, isFinal = false }, problem, onTakeBack }: Props) {
  const t = useTranslations('talk');
  const takeBack = (): void => {
    discard(id);
    onTakeBack();
  };
  return (
    <div role="alert" className={css.unsent}>
      <p className={`small ${css.lost}`}>
        {t('notSent')} {problem}
      </p>
      {!isFinal && <Button onClick={() => sendAgain(id)}>{t('sendAgain')}</Button>}
      <Button look={isFinal ? 'plain' : 'quiet'} onClick={takeBack}>
        {t('takeBack')}
      </Button>
      <Button look="quiet" onClick={() => discard(id)}>
        {t('discard')}
      </Button>
    </div>
  );
}
