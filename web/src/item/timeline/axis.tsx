import { useFormatter } from 'use-intl';
import { placeOf, type Scale, ticksOf } from './scale.ts';
import css from './timeline.module.css';

const DAY = 86_400_000;

/** The time of day below the lanes; the date, where it takes days. */
export function Axis({ scale, zoom }: { readonly scale: Scale; readonly zoom: number }) {
  const format = useFormatter();
  const length = scale.to - scale.from;
  const written = (at: number): string =>
    format.dateTime(at, {
      ...(length > DAY ? { month: 'short', day: 'numeric' } : {}),
      ...{ hour: '2-digit', minute: '2-digit' },
      ...(length / zoom < 300_000 ? { second: '2-digit' } : {}),
    });
  return (
    <div className={`${css.row} ${css.axis}`} aria-hidden="true">
      <span className={css.name}>&nbsp;</span>
      <div className={css.ticks}>
        {ticksOf(scale, 4 * zoom).map((at) => (
          <span key={at} style={{ left: `${placeOf(scale, at)}%` }}>
            {written(at)}
          </span>
        ))}
      </div>
    </div>
  );
}
