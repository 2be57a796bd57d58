import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ActionLine, Item } from '../../../../src/client/index.ts';
import { Mark, toneOf } from '../../components/mark.tsx';
import { Ago } from '../../components/values.tsx';
import { useHoldName } from '../../inbox/use-hold-name.ts';
import { actionPageQuery } from '../actions/queries.ts';
import { statusOf } from '../actions/status-of.ts';
import css from './overview.module.css';

const BLOCKING: ReadonlySet<ActionLine['status']> = new Set(['waiting', 'failed']);

/** Whatever keeps it from going on: a hold, a question, an Action that failed or waits, a time that has not come. */
export function InTheWay({ item }: { readonly item: Item }) {
  const t = useTranslations();
  const holdName = useHoldName();
  const actions = useQuery(actionPageQuery(item.id, undefined)).data?.actions ?? [];
  const blocking = actions.filter(({ status }) => BLOCKING.has(status));
  const { hold, parkedUntil, counts } = item;
  const isFree = !hold && !parkedUntil && counts.requests === 0 && blocking.length === 0;
  return (
    <section>
      <h3>{t('pane.inTheWay')}</h3>
      {isFree && <p className="small">{t(`pane.free.${item.lane}`)}</p>}
      <ul className={`small ${css.blockers}`}>
        {hold && (
          <li>
            <Mark tone="held">{t('status.held')}</Mark> <span>{holdName(hold.code)}</span>
          </li>
        )}
        {parkedUntil && (
          <li>
            {t('pane.parked')} <Ago at={parkedUntil} ahead />
          </li>
        )}
        {counts.requests > 0 && <li>{t('pane.waitsForYou', { n: counts.requests })}</li>}
        {blocking.map((action) => (
          <li key={action.id}>
            <Mark tone={toneOf(statusOf(action))}>{t(`status.${statusOf(action)}`)}</Mark>{' '}
            <Link href={`/work/${item.id}/actions/${action.id}`} className={css.link} dir="auto">
              {action.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
