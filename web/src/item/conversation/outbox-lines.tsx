import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { useConnection } from '../../shell/live.ts';
import css from './conversation.module.css';
import { unsaid } from './delivery.ts';
import type { Target } from './draft.ts';
import { type Outgoing, sendAgain, useOutbox } from './outbox.ts';
import { Quoted } from './quoted.tsx';
import { Refused } from './refused.tsx';
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
  const { itemId, text, quote = null, files = [], problem } = message;
  const takeBack = (): void => writeAnew(itemId, { text, quote, files, target: targetOf(message) });
  return (
    <li className={`${css.entry} ${css.mine} ${css.pending}`}>
      {quote && <Quoted quote={quote} />}
      <p className={css.words} dir="auto">
        {text}
      </p>
      {files.length > 0 && <p className="small muted">{files.map(({ name }) => name).join(', ')}</p>}
      {problem === undefined ? (
        <OnItsWay message={message} />
      ) : (
        <Refused message={message} problem={problem} onTakeBack={takeBack} />
      )}
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
