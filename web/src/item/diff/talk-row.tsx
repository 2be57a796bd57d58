import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Ago } from '../../components/values.tsx';
import { actionPageQuery } from '../actions/queries.ts';
import type { Outgoing } from '../conversation/outbox.ts';
import { OnItsWay } from '../conversation/outbox-lines.tsx';
import { Refused } from '../conversation/refused.tsx';
import type { DiffFile } from './diff-data.ts';
import css from './diff-talk.module.css';
import { LineComposer } from './line-composer.tsx';
import { addToLineDraft } from './line-drafts.ts';
import { useLineTalk } from './line-talk-context.ts';
import { keyOfQuote } from './place.ts';

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

function Unsent({ message }: { readonly message: Outgoing }) {
  const { itemId, text, quote, problem } = message;
  const takeBack = (): void => {
    if (quote) addToLineDraft(itemId, keyOfQuote(quote), text);
  };
  return (
    <div className={`${css.said} ${css.unsent}`}>
      <p className={css.words} dir="auto">
        {text}
      </p>
      {problem === undefined ? (
        <OnItsWay message={message} />
      ) : (
        <Refused message={message} problem={problem} onTakeBack={takeBack} />
      )}
    </div>
  );
}
