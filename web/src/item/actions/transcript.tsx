import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelRequest } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import css from './actions.module.css';
import { callsQuery, contentQuery } from './queries.ts';
import { answersIn, type ToolAnswer } from './transcript-steps.ts';
import { Turn } from './turn.tsx';

const NO_ANSWERS: ReadonlyMap<string, ToolAnswer> = new Map();

interface Props {
  readonly itemId: string;
  /** A Run, or a turn of the Coordinator. */
  readonly owner: string;
  readonly isOver: boolean;
}

/** Every model request in its order: the answer, the tools that it called, what they answered, what it cost. */
export function Transcript({ itemId, owner, isOver }: Props) {
  const t = useTranslations('actions');
  const query = useInfiniteQuery(callsQuery(itemId, owner));
  const calls = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.calls).toReversed(), [query.data]);
  const answers = useAnswers(itemId, calls);
  return (
    <section className={css.section}>
      <h3>{t('transcript')}</h3>
      {query.error && <ProblemNotice problem={problemOf(query.error)} onRetry={() => void query.refetch()} />}
      {query.isSuccess && calls.length === 0 && <p className="small muted">{t(isOver ? 'noCallsKept' : 'noCalls')}</p>}
      {query.hasNextPage && (
        <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('earlierCalls')}
        </Button>
      )}
      <ol className={css.turns}>
        {calls.map((call, index) => (
          <Turn key={call.id} {...{ itemId, call, answers }} next={calls[index + 1]} />
        ))}
      </ol>
    </section>
  );
}

/** The newest request repeats what the tools have answered so far: one look is enough for nearly all of them. */
function useAnswers(itemId: string, calls: readonly ModelRequest[]): ReadonlyMap<string, ToolAnswer> {
  const hash = calls.at(-1)?.requestHash ?? '';
  const { data } = useQuery({
    ...contentQuery(itemId, hash),
    enabled: hash !== '',
    placeholderData: (before) => before,
  });
  return useMemo(() => (data === undefined ? NO_ANSWERS : answersIn(data)), [data]);
}
