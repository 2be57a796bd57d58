import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { duration } from '../../components/values.tsx';
import type { Bar as BarOf, Picture, Row } from './layout.ts';
import type { Arrival } from './links.ts';
import { placeOf } from './scale.ts';
import css from './timeline.module.css';
import { useRowName } from './use-row-name.ts';

interface Props {
  readonly itemId: string;
  readonly picture: Picture;
  readonly row: Row;
  readonly bar: BarOf;
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

/** What a Run began with, in words. */
export function useArrivalWords(): (arrival: Arrival) => string {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const nameOf = useRowName();
  return ({ from, isJoin }) => t(isJoin ? 'joins' : 'after', { names: format.list(from.map(nameOf)) });
}

/** Where a bar leads: to its Run, or to the turn of the Coordinator. */
export const addressOf = (itemId: string, { actionId, id }: BarOf): string =>
  actionId === null ? `/work/${itemId}/actions/turns/${id}` : `/work/${itemId}/actions/${actionId}/runs/${id}`;

/** One bar: it leads to what ran, and says in words how that went and what it began with. */
export function Bar({ itemId, picture, row, bar, canTab }: Props) {
  const words = useBarWords()(bar);
  const name = useRowName()(row);
  const arrivalWords = useArrivalWords();
  const arrival = picture.arrivals.get(bar.id);
  const began = arrival ? [arrivalWords(arrival)] : [];
  const left = placeOf(picture, bar.startedAt);
  const width = placeOf(picture, bar.end) - left;
  const looks = {
    className: `${css.bar} ${css[bar.kind === 'turn' && bar.outcome === 'ok' ? 'turn' : bar.outcome]}`,
    style: { left: `${left}%`, width: `${width}%` },
    title: [name, words, ...began].join('\n'),
    'aria-label': [`${name}: ${words}`, ...began].join('; '),
    'data-bar': '',
    'data-join': arrival?.isJoin || undefined,
    tabIndex: canTab ? 0 : -1,
  };
  return <Link href={addressOf(itemId, bar)} {...looks} />;
}
