import { useFormatter } from 'use-intl';
import { useNarrow } from '../../shell/narrow.ts';
import { placeOf, type Scale, ticksOf } from './scale.ts';
import css from './timeline.module.css';

const DAY = 86_400_000;
/** Labels that have room beside each other on a phone, and elsewhere. */
const FEW = 2;
const MORE = 4;

/** The time of day below the lanes; the date, where it takes days. */
export function Axis({ scale, zoom }: { readonly scale: Scale; readonly zoom: number }) {
  const format = useFormatter();
  const most = (useNarrow() ? FEW : MORE) * zoom;
  const length = scale.to - scale.from;
  // Behind that there is no room to the right; the line stands without its time.
  const lastWritten = 100 - 100 / most;
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
        {ticksOf(scale, most).map((at) => (
          <span key={at} style={{ left: `${placeOf(scale, at)}%` }}>
            {placeOf(scale, at) <= lastWritten && written(at)}
          </span>
        ))}
      </div>
    </div>
  );
}
