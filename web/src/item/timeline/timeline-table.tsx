import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { duration } from '../../components/values.tsx';
import { addressOf, useArrivalWords } from './bar.tsx';
import { type Bar, isLabelled, type Picture, type Row } from './layout.ts';
import css from './timeline.module.css';
import { useRowName } from './use-row-name.ts';

/** The same in words, newest last. */
export function TimelineTable({ itemId, picture }: { readonly itemId: string; readonly picture: Picture }) {
  const t = useTranslations('timeline');
  const all = picture.rows.flatMap((row) => row.bars.map((bar) => ({ row, bar })));
  return (
    <div className={css.scroller}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('outcomeHead')}</th>
            <th scope="col">{t('began')}</th>
            <th scope="col">{t('took')}</th>
            <th scope="col">{t('where')}</th>
            <th scope="col">{t('beganWith')}</th>
          </tr>
        </thead>
        <tbody>
          {all
            .toSorted((a, b) => a.bar.startedAt - b.bar.startedAt)
            .map((each) => (
              <TableRow key={each.bar.id} {...{ itemId, picture, ...each }} />
            ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly itemId: string;
  readonly picture: Picture;
  readonly row: Row;
  readonly bar: Bar;
}

function TableRow({ itemId, picture, row, bar }: RowProps) {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const nameOf = useRowName();
  const arrivalWords = useArrivalWords();
  const arrival = picture.arrivals.get(bar.id);
  return (
    <tr>
      <td dir="auto">
        <Link href={addressOf(itemId, bar)}>
          {nameOf(row)}
          {bar.kind === 'run' && ` · ${t('runN', { n: bar.ordinal })}`}
        </Link>
      </td>
      <td>{t(`outcome.${bar.outcome}`)}</td>
      <td className="num">{format.dateTime(bar.startedAt, { dateStyle: 'short', timeStyle: 'medium' })}</td>
      <td className="num">{duration(bar.end - bar.startedAt)}</td>
      <td>{isLabelled(row.place) ? t(`place.${row.place}`) : '–'}</td>
      <td dir="auto">
        {arrival && arrivalWords(arrival)}
        {row.merge === 'conflict' && <p>{t('conflict')}</p>}
      </td>
    </tr>
  );
}
