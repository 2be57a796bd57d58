import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Action, Entry } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { conversationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { EntryLine } from '../conversation/entry-line.tsx';
import css from './actions.module.css';

/** What was written to this Action. The conversation is read back on demand, page by page to the next message to it. */
export function ActionMessages({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('actions');
  const talk = useInfiniteQuery(conversationQuery(itemId));
  const isToIt = ({ target }: Entry): boolean => target.kind === 'action' && target.id === action.id;
  const entries = (talk.data?.pages ?? [])
    .toReversed()
    .flatMap((page) => page.entries)
    .filter(isToIt);
  // What was written to earlier generations is not counted.
  const mayHaveSome = action.messages > 0 || action.generation > 1;
  if (entries.length === 0 && !(talk.hasNextPage && mayHaveSome)) return null;
  const readBack = async (): Promise<void> => {
    const { data, hasNextPage, isError } = await talk.fetchNextPage();
    if (!isError && hasNextPage && !data?.pages.at(-1)?.entries.some(isToIt)) await readBack();
  };
  return (
    <section className={css.section}>
      <h3>{t('messages')}</h3>
      {talk.isFetchNextPageError && <ProblemNotice problem={problemOf(talk.error)} />}
      {talk.hasNextPage && (
        <Button look="quiet" busy={talk.isFetchingNextPage} onClick={() => void readBack()}>
          {t('earlierMessages')}
        </Button>
      )}
      <ol className={css.entries}>
        {entries.map((entry) => (
          <EntryLine key={entry.id} itemId={itemId} entry={entry} actionName={action.name} />
        ))}
      </ol>
    </section>
  );
}
