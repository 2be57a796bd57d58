import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Item, LiveDiff } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Loading } from '../../shell/loading.tsx';
import live from '../live/live.module.css';
import { useLiveLook } from '../live/use-live-look.ts';
import { useSeen } from '../live/use-seen.ts';
import css from './diff.module.css';
import { DiffView } from './diff-view.tsx';
import { LeftOut } from './left-out.tsx';
import own from './live-changes.module.css';
import { liveDiffLook } from './live-queries.ts';
import { AllDraftsLost } from './lost-drafts.tsx';
import type { DiffSource, OneFile } from './source.ts';

const RUN_CHARS = 8;

interface Props {
  readonly item: Item;
  readonly source: DiffSource & { readonly actionId: string };
  readonly one: OneFile | undefined;
  readonly ignoreWhitespace: boolean;
  readonly onIgnore: (isIgnored: boolean) => void;
  /** Puts what is told of the changes beside the choice of whose they are. */
  readonly label: (told: ReactNode) => ReactNode;
  readonly isWriting: boolean;
  /** The Run has ended, and who writes about a line of it has not. */
  readonly isOver: boolean;
}

/** The Run has ended, and what it left will stand here in a moment. */
const isJustOver = (error: Error): boolean => problemOf(error).code === 'not_running';

/** There is nothing of which it could be said how it is now; what was seen before is not it. */
const isGone = (error: Error | null): boolean =>
  error !== null && ['no_diff', 'workspace_gone'].includes(problemOf(error).code);

/**
 * What a running Action has changed so far, as it changes. It stands still while one writes about a line of it, so that
 * the line does not go away under the words; when the Run ends, the recorded diff takes its place.
 */
export function LiveChanges({ item, source, one, ignoreWhitespace, onIgnore, label, isWriting, isOver }: Props) {
  const t = useTranslations('diff');
  const [box, isSeen] = useSeen<HTMLElement>();
  const look = liveDiffLook(source, { ignoreWhitespace, ...(one === undefined ? {} : { path: one.path }) });
  const { data, error, refetch } = useLiveLook(item, look, isSeen);
  const [known, setKnown] = useState<LiveDiff>();
  if (data && data !== known && (!isWriting || !known)) setKnown(data);
  const shown = isGone(error) && !isWriting ? undefined : known;
  const isBehind = shown !== undefined && data !== undefined && data.tree !== shown.tree;
  const isStill = isOver || isGone(error);
  return (
    <section ref={box} aria-label={t('liveLabel')} className={`${own.live} ${isStill ? own.still : live.live}`}>
      {label(
        (shown || !error) && (
          <LiveLabel
            {...{ itemId: item.id, source, runId: shown?.runId, isStill }}
            {...(isBehind ? { onNewest: () => setKnown(data) } : {})}
          />
        ),
      )}
      {error && !(shown && (isJustOver(error) || isGone(error))) && (
        <NotLive error={error} onRetry={() => void refetch()} />
      )}
      {!shown && !error && <Loading />}
      {shown && <LeftOut left={shown.left} leftOut={shown.leftOut} />}
      {shown && shown.text === '' && <Unchanged diff={shown} />}
      {shown && shown.text !== '' ? (
        <DiffView
          {...{ item, ignoreWhitespace, onIgnore }}
          source={{ ...source, isLive: true }}
          diff={{ ...shown, to: shown.tree }}
        />
      ) : (
        (shown || error) && <AllDraftsLost item={item} source={source} />
      )}
    </section>
  );
}

interface LabelProps {
  readonly itemId: string;
  readonly source: Props['source'];
  readonly runId: string | undefined;
  /** Nothing moves it any more. */
  readonly isStill: boolean;
  /** What is shown is no longer how it is. */
  readonly onNewest?: () => void;
}

/** Who moves it, and that it is not the result; or that it stands still. All in one line, so that nothing below moves. */
function LiveLabel({ itemId, source: { actionId }, runId, isStill, onNewest }: LabelProps) {
  const t = useTranslations('diff');
  return (
    <ContentLabel kind={isStill ? 'snapshot' : 'live'}>
      {runId !== undefined && !isStill && (
        <Link href={`/work/${itemId}/actions/${actionId}/runs/${runId}`} className={own.run}>
          {t('liveRun', { run: runId.slice(0, RUN_CHARS) })}
        </Link>
      )}
      <span className="faint" role="status">
        {t(onNewest || isStill ? 'liveHeld' : 'liveMeans')}
      </span>
      {onNewest && !isStill && (
        <button type="button" className={own.run} onClick={onNewest}>
          {t('liveNewest')}
        </button>
      )}
    </ContentLabel>
  );
}

function Unchanged({ diff: { changed, leftOut } }: { readonly diff: LiveDiff }) {
  const t = useTranslations('diff');
  return (
    <div className={css.empty}>
      <h2>{t('none')}</h2>
      <p className="muted">{changed > 0 ? t('onlyWhitespace') : t(leftOut > 0 ? 'liveOnlyLeft' : 'liveNone')}</p>
    </div>
  );
}

/** That there is nothing live to see is a state: it is being prepared, or just over. */
export function NotLive({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useTranslations('diff');
  const problem = problemOf(error);
  const isState = problem.code === 'no_diff' || problem.code === 'not_running' || problem.code === 'workspace_gone';
  return (
    <div className={css.empty}>
      {isState ? (
        <>
          <h2>{t('liveNothing')}</h2>
          <p className="muted">{problem.detail}</p>
        </>
      ) : (
        <ProblemNotice problem={problem} onRetry={onRetry} />
      )}
    </div>
  );
}
