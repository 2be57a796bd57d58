import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { duration } from '../../components/values.tsx';
import { addressOf } from './bar.tsx';
import { useRowName } from './lanes.tsx';
import type { Bar, Picture } from './layout.ts';
import css from './timeline.module.css';

/** The same in words, newest last. */
export function TimelineTable({ itemId, picture }: { readonly itemId: string; readonly picture: Picture }) {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const nameOf = useRowName();
  const all = picture.rows.flatMap((row) => row.bars.map((bar) => ({ name: nameOf(row), bar })));
  const named = (name: string, bar: Bar) => (
    <Link href={addressOf(itemId, bar)}>
      {name}
      {bar.kind === 'run' && ` · ${t('runN', { n: bar.ordinal })}`}
    </Link>
  );
  return (
    <div className={css.scroller}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('outcomeHead')}</th>
            <th scope="col">{t('began')}</th>
            <th scope="col">{t('took')}</th>
          </tr>
        </thead>
        <tbody>
          {all
            .toSorted((a, b) => a.bar.startedAt - b.bar.startedAt)
            .map(({ name, bar }) => (
              <tr key={bar.id}>
                <td dir="auto">{named(name, bar)}</td>
                <td>{t(`outcome.${bar.outcome}`)}</td>
                <td className="num">{format.dateTime(bar.startedAt, { dateStyle: 'short', timeStyle: 'medium' })}</td>
                <td className="num">{duration(bar.end - bar.startedAt)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
