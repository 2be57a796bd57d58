import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Action, RunLine } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark, toneOf } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { useTick } from '../../components/use-tick.ts';
import { Ago, duration } from '../../components/values.tsx';
import css from './actions.module.css';
import { runsQuery } from './queries.ts';
import { shownStatus } from './run-status.ts';

/** Every attempt, newest first. */
export function RunList({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('actions');
  const runs = useInfiniteQuery(runsQuery(itemId, action.id));
  const all = (runs.data?.pages ?? []).flatMap((page) => page.runs);
  return (
    <section className={css.section}>
      <h3>{t('runsHead')}</h3>
      {runs.error && <ProblemNotice problem={problemOf(runs.error)} onRetry={() => void runs.refetch()} />}
      {runs.isSuccess && all.length === 0 && <p className="muted">{t('noRuns')}</p>}
      <ol className={css.runs}>
        {all.map((run) => (
          <li key={run.id}>
            <Line itemId={itemId} run={run} action={action} />
          </li>
        ))}
      </ol>
      {runs.hasNextPage && (
        <Button look="quiet" busy={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          {t('moreRuns')}
        </Button>
      )}
    </section>
  );
}

interface LineProps {
  readonly itemId: string;
  readonly run: RunLine;
  readonly action: Action;
}

function Line({ itemId, run, action }: LineProps) {
  const t = useTranslations();
  const now = useTick(run.endedAt === null);
  // The rest of it is output that was quoted; its page has it.
  const [said = ''] = (run.error ?? run.summary).trim().split('\n');
  const isOld = run.generation !== action.generation;
  return (
    <Link href={`/work/${itemId}/actions/${run.actionId}/runs/${run.id}`} className={css.row}>
      <span>
        {t('actions.runN', { n: run.ordinal })}{' '}
        <span className="small faint">
          {isOld && `${t('actions.generation', { n: run.generation })} · `}
          <Ago at={run.startedAt} />
        </span>
      </span>
      <span className="small">
        <Mark tone={toneOf(run.status)}>{t(`status.${shownStatus(run, action)}`)}</Mark>
      </span>
      <span className={`small muted ${css.facts}`} dir="auto">
        {run.code !== null && <code>{run.code}</code>} {said}
      </span>
      <span className="small faint num">{duration((run.endedAt ?? now) - run.startedAt)}</span>
    </Link>
  );
}
