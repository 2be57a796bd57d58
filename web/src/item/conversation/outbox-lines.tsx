import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { useConnection } from '../../shell/live.ts';
import css from './conversation.module.css';
import { unsaid } from './delivery.ts';
import type { Target } from './draft.ts';
import { discard, type Outgoing, sendAgain, useOutbox } from './outbox.ts';
import { Quoted } from './quoted.tsx';
import { writeAnew } from './write-to.ts';

/** What was written and is not there yet. */
export function OutboxLines({ itemId, entries }: { readonly itemId: string; readonly entries: readonly Entry[] }) {
  const outgoing = unsaid(useOutbox(itemId), entries);
  if (outgoing.length === 0) return null;
  return (
    <ol className={css.entries}>
      {outgoing.map((message) => (
        <Line key={message.clientMessageId} message={message} />
      ))}
    </ol>
  );
}

function Line({ message }: { readonly message: Outgoing }) {
  const { text, quote, files = [], problem } = message;
  return (
    <li className={`${css.entry} ${css.mine} ${css.pending}`}>
      {quote && <Quoted quote={quote} />}
      <p className={css.words} dir="auto">
        {text}
      </p>
      {files.length > 0 && <p className="small muted">{files.map(({ name }) => name).join(', ')}</p>}
      {problem === undefined ? <OnItsWay message={message} /> : <Refused message={message} problem={problem} />}
    </li>
  );
}

/** Where it stands that nobody has refused; one that hangs can be hurried. */
export function OnItsWay({ message: { clientMessageId: id, isUnanswered } }: { readonly message: Outgoing }) {
  const t = useTranslations('talk');
  const isLost = useConnection().state === 'lost';
  if (isLost) return <p className="small muted">{t('waitsForServer')}</p>;
  if (!isUnanswered) return <p className="small muted">{t('sending')}</p>;
  return (
    <div role="status" className={css.unsent}>
      <p className="small muted">{t('unanswered')}</p>
      <Button onClick={() => sendAgain(id)}>{t('sendNow')}</Button>
    </div>
  );
}

/** Whom a message was for, under the name that it had then. */
const targetOf = ({ target, whom }: Outgoing): Target | null =>
  target.kind === 'action' && target.generation !== undefined
    ? { actionId: target.actionId, generation: target.generation, name: whom ?? target.actionId }
    : null;

/** It is sent again as it was, where that may help, or taken back into the composer with all that belongs to it. */
function Refused({ message, problem }: { readonly message: Outgoing; readonly problem: string }) {
  const t = useTranslations('talk');
  const { itemId, clientMessageId: id, text, quote = null, files = [], isFinal = false } = message;
  const takeBack = (): void => {
    discard(id);
    writeAnew(itemId, { text, quote, files, target: targetOf(message) });
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
