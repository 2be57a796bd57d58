import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Action } from '../../../../src/client/index.ts';
import { conversationQuery } from '../../api/queries.ts';
import { EntryLine } from '../conversation/entry-line.tsx';
import css from './actions.module.css';

/** What was written to this Action, as far as the conversation has been read back. */
export function ActionMessages({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('actions');
  const talk = useInfiniteQuery(conversationQuery(itemId));
  const entries = (talk.data?.pages ?? [])
    .toReversed()
    .flatMap((page) => page.entries)
    .filter(({ target }) => target.kind === 'action' && target.id === action.id);
  if (entries.length === 0) return null;
  return (
    <section className={css.section}>
      <h3>{t('messages')}</h3>
      <ol className={css.entries}>
        {entries.map((entry) => (
          <EntryLine key={entry.id} itemId={itemId} entry={entry} />
        ))}
      </ol>
    </section>
  );
}
