import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { duration } from '../../components/values.tsx';
import { type Bar as BarOf, type Picture, placeOf } from './layout.ts';
import css from './timeline.module.css';

interface Props {
  readonly itemId: string;
  readonly picture: Picture;
  readonly bar: BarOf;
  /** Of its row. */
  readonly name: string;
  readonly canTab: boolean;
}

/** One Run, or one turn, in words. */
export function useBarWords(): (bar: BarOf) => string {
  const t = useTranslations('timeline');
  const format = useFormatter();
  return (bar) =>
    t(bar.kind, {
      n: bar.ordinal,
      outcome: t(`outcome.${bar.outcome}`),
      at: format.dateTime(bar.startedAt, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
      length: duration(bar.end - bar.startedAt),
    });
}

/** Where a bar leads: to its Run, or to the turn of the Coordinator. */
export const addressOf = (itemId: string, { actionId, id }: BarOf): string =>
  actionId === null ? `/work/${itemId}/actions/turns/${id}` : `/work/${itemId}/actions/${actionId}/runs/${id}`;

/** One bar: it leads to what ran, and says in words how that went. */
export function Bar({ itemId, picture, bar, name, canTab }: Props) {
  const words = useBarWords();
  const left = placeOf(picture, bar.startedAt);
  const width = placeOf(picture, bar.end) - left;
  const looks = {
    className: `${css.bar} ${css[bar.kind === 'turn' && bar.outcome === 'ok' ? 'turn' : bar.outcome]}`,
    style: { left: `${left}%`, width: `${width}%` },
    title: `${name}\n${words(bar)}`,
    'aria-label': `${name}: ${words(bar)}`,
    'data-bar': '',
    tabIndex: canTab ? 0 : -1,
  };
  return <Link href={addressOf(itemId, bar)} {...looks} />;
}
