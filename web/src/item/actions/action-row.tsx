import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ActionLine } from '../../../../src/client/index.ts';
import { Mark, toneOf } from '../../components/mark.tsx';
import css from './actions.module.css';
import { statusOf } from './status-of.ts';
import { useWho } from './who.ts';
import { Worked } from './worked.tsx';

/** An Action in two lines: what, how it stands; who, what for, how often, how long. */
export function ActionRow({ itemId, line }: { readonly itemId: string; readonly line: ActionLine | undefined }) {
  const t = useTranslations();
  const who = useWho();
  if (!line) return <div className={css.row} aria-busy="true" />;
  const status = statusOf(line);
  const { id, name, executor, attempts, runs, wallMs } = line;
  return (
    <Link href={`/work/${itemId}/actions/${id}`} className={css.row}>
      <span className={css.name} dir="auto">
        {name}
      </span>
      <span className="small">
        <Mark tone={toneOf(status)}>{t(`status.${status}`)}</Mark>
      </span>
      <span className={`small muted ${css.facts}`}>
        {[
          who(executor),
          ...(line.for.length > 0 ? [t('actions.for', { what: line.for.join(', ') })] : []),
          ...(line.dependsOn.length > 0 ? [t('actions.after', { what: line.dependsOn.join(', ') })] : []),
          ...(attempts > 1 ? [t('actions.attempts', { n: attempts })] : []),
          ...(runs > 1 ? [t('actions.runs', { n: runs })] : []),
        ].join(' · ')}
        {line.sharesFilesWith.length > 0 && (
          <span className={css.shares}>{t('actions.shares', { what: line.sharesFilesWith.join(', ') })}</span>
        )}
      </span>
      <span className="small faint num">
        <Worked wallMs={wallMs} />
      </span>
    </Link>
  );
}
