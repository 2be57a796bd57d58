import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Action, Item, Run } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { actionQuery } from '../../api/queries.ts';
import { CopyId } from '../../components/copy-id.tsx';
import { Mark, toneOf } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { useTick } from '../../components/use-tick.ts';
import { Ago, duration, useMoney } from '../../components/values.tsx';
import { Loading } from '../../shell/loading.tsx';
import css from './actions.module.css';
import { Back } from './back.tsx';
import { Enforcement } from './enforcement.tsx';
import { runQuery } from './queries.ts';
import { Receipts } from './receipts.tsx';
import { RunOutput } from './run-output.tsx';
import { shownStatus } from './run-status.ts';
import { Transcript } from './transcript.tsx';
import { useFollow } from './use-follow.ts';
import { Words } from './words.tsx';

interface Props {
  readonly item: Item;
  readonly actionId: string;
  readonly runId: string;
}

/** One attempt, as a transcript: what was asked, answered, done and printed; what held it, and what was measured. */
export function RunView({ item, actionId, runId }: Props) {
  const { data: run, error, refetch } = useQuery(runQuery(item.id, actionId, runId));
  const { data: action } = useQuery(actionQuery(item.id, actionId));
  const article = useFollow<HTMLElement>(run?.endedAt === null);
  const back = <Back href={`/work/${item.id}/actions/${actionId}`}>{action?.name ?? actionId}</Back>;
  if (error && !run) {
    return (
      <div className={css.stack}>
        {back}
        <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!run) {
    return (
      <div className={css.stack}>
        {back}
        <Loading />
      </div>
    );
  }
  const isAgent = run.agent !== null || action?.executor.kind === 'agent';
  return (
    <article ref={article} className={css.stack}>
      {back}
      <RunHead run={run} action={action} />
      <Outcome run={run} />
      {isAgent && <Transcript itemId={item.id} owner={run.id} isOver={run.endedAt !== null} />}
      <Receipts itemId={item.id} receipts={run.receipts} />
      {run.receipts.length === 0 && <RunOutput {...{ itemId: item.id, run, isAgent }} />}
      <Enforcement itemId={item.id} run={run} />
    </article>
  );
}

function RunHead({ run, action }: { readonly run: Run; readonly action: Action | undefined }) {
  const t = useTranslations();
  const money = useMoney();
  const now = useTick(run.endedAt === null);
  const { id, ordinal, status, startedAt, endedAt, generation, usage, base, commit, attemptCharged } = run;
  return (
    <header>
      <h2 className={css.title}>{t('actions.runN', { n: ordinal })}</h2>
      <p className={css.line}>
        <Mark tone={toneOf(status)}>{t(`status.${shownStatus(run, action)}`)}</Mark>
        <span className="muted num">{duration((endedAt ?? now) - startedAt)}</span>
        <span className="muted">
          <Ago at={startedAt} />
        </span>
        <CopyId id={id} chars={8} />
      </p>
      <p className={`small muted num ${css.line}`}>
        <span>{t('actions.generation', { n: generation })}</span>
        {base !== null && (
          <span>
            {t('actions.base')} <code>{base.slice(0, 7)}</code>
          </span>
        )}
        {commit !== null && (
          <span>
            {t('actions.made')} <code>{commit.slice(0, 7)}</code>
          </span>
        )}
        {usage && usage.costMicros > 0 && <span>{money(usage.costMicros)}</span>}
        {endedAt !== null && !attemptCharged && <span>{t('actions.notCharged')}</span>}
        {run.alone && <span>{t('actions.alone')}</span>}
      </p>
    </header>
  );
}

/** How it ended, in its own words; what an unknown or interrupted end means for a person. */
function Outcome({ run: { status, code, error, summary } }: { readonly run: Run }) {
  const t = useTranslations('actions');
  const isWrong = status !== 'completed' && status !== 'running';
  const meaning = status === 'interrupted' || status === 'unknown' ? t(`${status}Means`) : undefined;
  const said = error ?? summary;
  if (said === '' && meaning === undefined) return null;
  return (
    <section className={`${css.box} ${isWrong ? css.failed : ''}`}>
      {code !== null && <code>{code}</code>}
      {meaning !== undefined && <p>{meaning}</p>}
      <Words text={said} />
    </section>
  );
}
