import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Link, useSearch } from 'wouter';
import type { Diff, Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { actionQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Loading } from '../../shell/loading.tsx';
import { recall, remember } from '../../shell/remember.ts';
import type { ContentProps } from '../pane/pane.tsx';
import { ChangedFileView } from './changed-file.tsx';
import css from './diff.module.css';
import { DiffView } from './diff-view.tsx';
import { LiveChanges } from './live-changes.tsx';
import { LiveFileView } from './live-file.tsx';
import { AllDraftsLost } from './lost-drafts.tsx';
import { diffQuery } from './queries.ts';
import { type DiffSource, hrefOf, type OneFile, oneFileOf, sourceOf } from './source.ts';
import { SourceChoice } from './source-choice.tsx';
import { useWriting } from './use-writing.ts';

const COMMIT_CHARS = 10;

/** Where the source is an Action at work, or its Run that is: what is written there now is shown, not what it left. */
function useAtWork({ itemId, actionId = '', runId }: DiffSource) {
  const { data: action, isPending } = useQuery({ ...actionQuery(itemId, actionId), enabled: actionId !== '' });
  const isRunning = action?.status === 'running' && action.executor.kind !== 'verify';
  const isThatRun = action?.runId !== null && (runId === undefined || runId === action?.runId);
  return { isKnown: actionId === '' || !isPending, isAtWork: isRunning && isThatRun };
}

/** What is shown stays as it is while one writes about a line of it. */
function useHeld<T>(now: T, isHeld: boolean): T {
  const [before, setBefore] = useState(now);
  if (!isHeld && before !== now) setBefore(now);
  return isHeld ? before : now;
}

/** Where another view takes over by itself from the one that had the focus, the focus is not lost to the page. */
function useFocusKept(place: string, isLive: boolean | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef({ place, isLive });
  useEffect(() => {
    const { place: left, isLive: wasLive } = before.current;
    before.current = { place, isLive };
    const isOther = left === place && wasLive !== undefined && wasLive !== isLive;
    if (isOther && document.activeElement === document.body) root.current?.focus({ preventScroll: true });
  }, [place, isLive]);
  return root;
}

/** What was changed: by all of it, by one Action, by one Run; a file as it was and as it is. */
export function DiffContent({ item, rest }: ContentProps) {
  const source = sourceOf(item.id, rest);
  const { actionId } = source;
  const one = oneFileOf(useSearch());
  const { isKnown, isAtWork } = useAtWork(source);
  const place = hrefOf(source, one);
  const { isWriting, watch } = useWriting(place);
  const isLive = useHeld(isAtWork, isWriting);
  const root = useFocusKept(place, isKnown ? isLive : undefined);
  const [ignoreWhitespace, setIgnore] = useState(() => recall('diffSpace') === 'ignore');
  const ignore = (next: boolean): void => {
    setIgnore(next);
    remember('diffSpace', next ? 'ignore' : 'show');
  };
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const label = (told: ReactNode) => slot && createPortal(told, slot);
  const shape = { item, one, ignoreWhitespace, onIgnore: ignore, label };
  return (
    <div ref={root} tabIndex={-1} className={css.root} {...watch}>
      <Head source={source} one={one} slot={setSlot} />
      {!isKnown && <Loading />}
      {isKnown && isLive && actionId !== undefined && (
        <AtWork {...shape} {...{ isWriting, isOver: !isAtWork }} source={{ ...source, actionId }} />
      )}
      {isKnown && !isLive && <Recorded {...shape} source={source} />}
    </div>
  );
}

interface AtWorkProps extends ChangesProps {
  readonly source: DiffSource & { readonly actionId: string };
  readonly isWriting: boolean;
  readonly isOver: boolean;
}

function AtWork({ source, one, label, ...shape }: AtWorkProps) {
  if (one?.view === 'before' || one?.view === 'after') {
    return <LiveFileView item={shape.item} source={source} path={one.path} />;
  }
  return <LiveChanges key={source.actionId} {...shape} source={source} one={one} label={label} />;
}

function Recorded({ source, one, ...shape }: ChangesProps) {
  if (one?.view !== 'before' && one?.view !== 'after') return <Changes {...shape} source={source} one={one} />;
  return <ChangedFileView source={source} path={one.path} side={one.view} />;
}

interface HeadProps {
  readonly source: DiffSource;
  readonly one: OneFile | undefined;
  readonly slot: (element: HTMLElement | null) => void;
}

/**
 * Whose changes, and what is told of them. It stays the same element whatever is shown beneath: whoever chooses by keys
 * goes on choosing.
 */
function Head({ source, one, slot }: HeadProps) {
  return (
    <div className={`${css.head} ${css.row}`}>
      <SourceChoice source={source} />
      {one && <BackToAll source={source} />}
      <div ref={slot} className={css.told} />
    </div>
  );
}

function BackToAll({ source }: { readonly source: DiffSource }) {
  const t = useTranslations('diff');
  return (
    <Link href={hrefOf(source)} className={css.row}>
      <ArrowLeft size={14} aria-hidden /> {t('backToAll')}
    </Link>
  );
}

interface ChangesProps {
  readonly item: Item;
  readonly source: DiffSource;
  readonly one: OneFile | undefined;
  readonly ignoreWhitespace: boolean;
  readonly onIgnore: (isIgnored: boolean) => void;
  /** Puts what is told of the changes beside the choice of whose they are. */
  readonly label: (told: ReactNode) => ReactNode;
}

function Changes({ item, source, one, ignoreWhitespace, onIgnore, label }: ChangesProps) {
  const t = useTranslations('diff');
  const path = one === undefined ? {} : { path: one.path };
  const { data: diff, error, refetch } = useQuery(diffQuery(source, { ignoreWhitespace, ...path }));
  return (
    <>
      {label(
        <>
          {diff && <Commits diff={diff} />}
          {source.actionId === undefined && item.lane !== 'done' && <span className="small faint">{t('follows')}</span>}
        </>,
      )}
      {error && !diff && <NoDiff error={error} source={source} onRetry={() => void refetch()} />}
      {(error && !diff) || diff?.text === '' ? <AllDraftsLost item={item} source={source} /> : null}
      {!diff && !error && <Loading />}
      {diff && <Found {...{ item, source, diff, ignoreWhitespace, onIgnore }} />}
    </>
  );
}

interface FoundProps extends Omit<ChangesProps, 'one' | 'label'> {
  readonly diff: Diff;
}

function Found({ item, source, diff, ignoreWhitespace, onIgnore }: FoundProps) {
  const t = useTranslations('diff');
  return (
    <>
      {diff.text === '' ? (
        <div className={css.empty}>
          <h2>{ignoreWhitespace && diff.from !== diff.to ? t('onlyWhitespace') : t('none')}</h2>
          {ignoreWhitespace && diff.from !== diff.to ? (
            <Button onClick={() => onIgnore(false)}>{t('showWhitespace')}</Button>
          ) : (
            <p className="muted">{t('noneText')}</p>
          )}
        </div>
      ) : (
        <DiffView {...{ item, source, diff, ignoreWhitespace, onIgnore }} />
      )}
    </>
  );
}

function Commits({ diff: { from, to } }: { readonly diff: Diff }) {
  return (
    <ContentLabel kind="diff">
      <CopyId id={from.slice(0, COMMIT_CHARS)} />
      <span aria-hidden="true">→</span>
      <CopyId id={to.slice(0, COMMIT_CHARS)} />
    </ContentLabel>
  );
}

interface NoDiffProps {
  readonly error: Error;
  readonly source: DiffSource;
  readonly onRetry: () => void;
}

/** Having no diff is a state, not a failure; all else is one. */
function NoDiff({ error, source, onRetry }: NoDiffProps) {
  const t = useTranslations('diff');
  const problem = problemOf(error);
  return (
    <div className={css.empty}>
      {problem.code === 'no_diff' ? (
        <>
          <h2>{t('nothing')}</h2>
          <p className="muted">{problem.detail}</p>
          {source.actionId === undefined && <p className="muted">{t('nothingNext')}</p>}
        </>
      ) : (
        <ProblemNotice problem={problem} onRetry={onRetry} />
      )}
    </div>
  );
}
