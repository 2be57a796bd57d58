import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Action, LiveFiles as Files, Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { liveFilesLook } from '../diff/live-queries.ts';
import { hrefOf } from '../diff/source.ts';
import live from '../live/live.module.css';
import { useLiveLook } from '../live/use-live-look.ts';
import { useSeen } from '../live/use-seen.ts';
import css from './actions.module.css';

const FEW = 12;
/** What cannot be looked at, or not here, is said by the diff; it is no trouble of this Action. */
const STATES: ReadonlySet<string> = new Set(['no_diff', 'not_running', 'workspace_gone', 'cannot_tell']);

/** Which files an Action that is running has changed so far, as they change. */
export function LiveFiles({ item, action }: { readonly item: Item; readonly action: Action }) {
  const t = useTranslations('actions');
  const [box, isSeen] = useSeen<HTMLElement>();
  const source = { itemId: item.id, actionId: action.id };
  const { data, error, refetch } = useLiveLook(item, liveFilesLook(source), isSeen);
  const problem = error && problemOf(error);
  return (
    <section ref={box} className={`${css.section} ${live.live}`} aria-label={t('liveFiles')}>
      <ContentLabel kind="live">
        <span className="num">{data ? t('changedSoFar', { n: data.changed }) : t('liveFiles')}</span>
      </ContentLabel>
      {problem && STATES.has(problem.code) && !data && <p className="small muted">{problem.detail}</p>}
      {problem && !STATES.has(problem.code) && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      {data && <Paths files={data} href={hrefOf(source)} />}
    </section>
  );
}

function Paths({ files: { files, changed, leftOut }, href }: { readonly files: Files; readonly href: string }) {
  const t = useTranslations('actions');
  const shown = files.slice(0, FEW);
  return (
    <>
      <ul className={css.paths}>
        {shown.map(({ path, status }) => (
          <li key={path}>
            <span className="faint">{t(`change.${status}`)}</span> <code>{path}</code>
          </li>
        ))}
        {changed > shown.length && <li className="faint">{t('morePaths', { n: changed - shown.length })}</li>}
        {leftOut > 0 && <li className="faint">{t('notLookedAt', { n: leftOut })}</li>}
      </ul>
      <Link href={href} className={css.more}>
        {t('liveDiff')}
      </Link>
    </>
  );
}
