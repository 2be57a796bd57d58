import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { Ago } from '../../components/values.tsx';
import css from './conversation.module.css';
import { Delivery } from './delivery-word.tsx';
import { EntryControls } from './entry-controls.tsx';
import { EntryFiles } from './entry-files.tsx';
import { Quoted } from './quoted.tsx';

interface Props {
  readonly itemId: string;
  readonly entry: Entry;
  /** Of the Action that it was said to, where it is known. */
  readonly actionName?: string | undefined;
}

/** One thing that was said: by whom, to whom, whether it was heard. */
export function EntryLine({ itemId, entry, actionName }: Props) {
  const t = useTranslations('talk');
  const isMine = entry.author === 'person';
  const { kind, id } = entry.target;
  const whom = kind === 'coordinator' || id === null ? t('coordinator') : (actionName ?? id);
  return (
    <li className={`${css.entry} ${isMine ? css.mine : ''}`}>
      <p className={css.who}>
        <strong>{isMine ? t('you') : t('coordinator')}</strong>
        {isMine && <span>{kind === 'request' ? t('answer') : t('to', { whom })}</span>}
        <Ago at={entry.at} />
        {isMine && <Delivery entry={entry} />}
        <EntryControls itemId={itemId} entry={entry} />
      </p>
      {entry.quote && <Quoted quote={entry.quote} />}
      <p className={css.words} dir="auto">
        {entry.text}
      </p>
      <EntryFiles itemId={itemId} files={entry.attachments} />
    </li>
  );
}
