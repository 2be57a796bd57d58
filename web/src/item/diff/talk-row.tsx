import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Ago } from '../../components/values.tsx';
import { useConnection } from '../../shell/live.ts';
import { actionPageQuery } from '../actions/queries.ts';
import { discard, type Outgoing, sendAgain } from '../conversation/outbox.ts';
import type { DiffFile } from './diff-data.ts';
import css from './diff-talk.module.css';
import { LineComposer } from './line-composer.tsx';
import { useLineTalk } from './line-talk-context.ts';

interface Props {
  readonly file: DiffFile;
  readonly lineKey: string;
}

/** What was said about a line, below it; sent or not yet. */
export function TalkRow({ file, lineKey }: Props) {
  const t = useTranslations('talk');
  const { item, said, outgoing, drafts } = useLineTalk();
  const actions = useQuery(actionPageQuery(item.id, undefined)).data?.actions ?? [];
  const nameOf = (id: string | null): string =>
    id === null ? t('coordinator') : (actions.find((action) => action.id === id)?.name ?? id);
  return (
    <div className={css.talk}>
      {said.get(lineKey)?.map((entry) => (
        <div key={entry.id} className={css.said}>
          <p className={css.who}>
            <strong>{entry.author === 'person' ? t('you') : t('coordinator')}</strong>
            <span>{t('to', { whom: nameOf(entry.target.id) })}</span>
            <Ago at={entry.at} />
            <span>{t(`delivery.${entry.delivery}`, { detail: entry.detail ?? '' })}</span>
          </p>
          <p className={css.words} dir="auto">
            {entry.text}
          </p>
        </div>
      ))}
      {outgoing.get(lineKey)?.map((message) => (
        <Unsent key={message.clientMessageId} message={message} />
      ))}
      {drafts[lineKey] !== undefined && <LineComposer path={file.path} lineKey={lineKey} />}
    </div>
  );
}

function Unsent({ message: { clientMessageId: id, text, problem } }: { readonly message: Outgoing }) {
  const t = useTranslations('talk');
  const isLost = useConnection().state === 'lost';
  return (
    <div className={`${css.said} ${css.unsent}`}>
      <p className={css.words} dir="auto">
        {text}
      </p>
      {problem === undefined ? (
        <p className="small muted">{t(isLost ? 'waitsForServer' : 'sending')}</p>
      ) : (
        <div role="alert" className={css.buttons}>
          <p className={`small ${css.lost}`}>
            {t('notSent')} {problem}
          </p>
          <Button onClick={() => sendAgain(id)}>{t('sendAgain')}</Button>
          <Button look="quiet" onClick={() => discard(id)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </div>
  );
}
