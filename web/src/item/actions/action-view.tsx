import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Action, Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { actionQuery } from '../../api/queries.ts';
import { CopyId } from '../../components/copy-id.tsx';
import { Mark, toneOf } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { useMoney } from '../../components/values.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LiveText } from '../live/live-text.tsx';
import { useWriting } from '../live/use-item-stream.ts';
import { ActionAsks } from './action-asks.tsx';
import { ActionBrief } from './action-brief.tsx';
import { ActionControls } from './action-controls.tsx';
import { ActionMessages } from './action-messages.tsx';
import { ActionResult } from './action-result.tsx';
import css from './actions.module.css';
import { Back } from './back.tsx';
import { LiveFiles } from './live-files.tsx';
import { RunList } from './run-list.tsx';
import { statusOf } from './status-of.ts';
import { useWho } from './who.ts';
import { Words } from './words.tsx';
import { Worked } from './worked.tsx';

interface Props {
  readonly item: Item;
  readonly actionId: string;
}

/** One Action: what it is to do, how it stands, what came of it. */
export function ActionView({ item, actionId }: Props) {
  const t = useTranslations('actions');
  const { data: action, error, refetch } = useQuery(actionQuery(item.id, actionId));
  const back = <Back href={`/work/${item.id}/actions`}>{t('all')}</Back>;
  if (error && !action) {
    return (
      <div className={css.stack}>
        {back}
        <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!action) {
    return (
      <div className={css.stack}>
        {back}
        <Loading />
      </div>
    );
  }
  return (
    <article className={css.stack}>
      {back}
      <ActionHead action={action} />
      <ActionControls item={item} action={action} />
      <Failure action={action} />
      <ActionAsks item={item} action={action} />
      <Live itemId={item.id} action={action} />
      {action.status === 'running' && action.executor.kind !== 'verify' && <LiveFiles item={item} action={action} />}
      <ActionResult itemId={item.id} action={action} />
      <ActionBrief itemId={item.id} action={action} />
      <RunList itemId={item.id} action={action} />
      <ActionMessages itemId={item.id} action={action} />
    </article>
  );
}

function ActionHead({ action }: { readonly action: Action }) {
  const t = useTranslations();
  const who = useWho();
  const money = useMoney();
  const { id, name, executor, generation, attempts, usage } = action;
  const status = statusOf(action);
  return (
    <header>
      <h2 className={css.title} dir="auto">
        {name}
      </h2>
      <p className={css.line}>
        <Mark tone={toneOf(status)}>{t(`status.${status}`)}</Mark>
        <span className="muted">{who(executor)}</span>
        <CopyId id={id} />
      </p>
      <p className={`small muted num ${css.line}`}>
        <span>{t('actions.generation', { n: generation })}</span>
        <span>{t('actions.attempts', { n: attempts })}</span>
        <span>{t(`actions.workspace.${workspaceOf(action)}`)}</span>
        <Worked wallMs={usage.wallMs} />
        {usage.requests > 0 && (
          <span>
            {t('pane.requests', { requests: usage.requests, tokens: usage.tokens })} · {money(usage.costMicros)}
          </span>
        )}
      </p>
    </header>
  );
}

const WORKSPACES = ['read', 'shared', 'isolated-write', 'integrate'] as const;

const workspaceOf = ({ workspace }: Action): (typeof WORKSPACES)[number] | 'other' =>
  WORKSPACES.find((each) => each === workspace) ?? 'other';

/** Why it did not succeed, or why it was stepped over. */
function Failure({ action: { status, lastRun, failureCode, closeReason } }: { readonly action: Action }) {
  const t = useTranslations('actions');
  if (status === 'closed') return <p className={css.box}>{t('closedBecause', { reason: closeReason || '–' })}</p>;
  const said = lastRun?.error ?? (status === 'failed' ? lastRun?.summary : undefined);
  if (status === 'completed' || said === undefined || said === null || said === '') return null;
  return (
    <section className={`${css.box} ${css.failed}`}>
      <h3>
        {t('whyFailed')} {failureCode !== null && <code>{failureCode}</code>}
      </h3>
      <Words text={said} />
    </section>
  );
}

function Live({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('live');
  const writing = useWriting(itemId, ({ runId }) => runId !== undefined && runId === action.runId);
  if (!writing) return null;
  return (
    <div className={css.run}>
      <LiveText writing={writing} label={t(writing.kind)} />
      <Link href={`/work/${itemId}/actions/${action.id}/runs/${action.runId}`} className={css.more}>
        {t('watch')}
      </Link>
    </div>
  );
}
