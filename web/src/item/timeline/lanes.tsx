import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Axis } from './axis.tsx';
import { Bar } from './bar.tsx';
import { isLabelled, type Lane, type Picture, type Row } from './layout.ts';
import { Lines } from './lines.tsx';
import css from './timeline.module.css';
import { useRowName } from './use-row-name.ts';
import { useSteadyCentre } from './use-steady-centre.ts';

interface Props {
  readonly itemId: string;
  readonly picture: Picture;
  /** 1 shows all of it; 2 makes it twice as wide. */
  readonly zoom: number;
}

const BARS = '[data-bar]';
const STEPS: Readonly<Record<string, readonly [rows: number, bars: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const leftOf = (bar: Element): number => bar.getBoundingClientRect().left;

/** Of another row, what ran at about the same time. */
function nearest(row: Element | undefined, bar: Element): HTMLElement | undefined {
  const away = (other: Element): number => Math.abs(leftOf(other) - leftOf(bar));
  return [...(row?.querySelectorAll<HTMLElement>(BARS) ?? [])].toSorted((a, b) => away(a) - away(b))[0];
}

/** One bar can be tabbed to; from there arrows lead along the row, and to other rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const bar = event.target as HTMLElement;
  const row = bar.closest('[data-row]');
  if (!step || !row) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll('[data-row]')];
  const bars = [...row.querySelectorAll<HTMLElement>(BARS)];
  const next = step[0] === 0 ? bars[bars.indexOf(bar) + step[1]] : nearest(rows[rows.indexOf(row) + step[0]], bar);
  next?.focus();
}

/** Names on the left, which stay while the lanes scroll; what is pointed at shows what it waited for. */
export function TimelineLanes({ itemId, picture, zoom }: Props) {
  const t = useTranslations('timeline');
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const noteCentre = useSteadyCentre(scroller, zoom);
  const wanted = new Set(picture.links.filter(({ to }) => to === pointed).map(({ from }) => from));
  const shared = { itemId, picture, wanted, onPoint: setPointed };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move the focus between the links in it
    <div ref={scroller} className={css.scroller} onKeyDown={moveFocus} onScroll={noteCentre}>
      <div className={css.lanes} style={{ width: `${zoom * 100}%` }}>
        <Lines picture={picture} pointed={pointed} />
        {picture.lanes.map((lane) => (
          <LaneOf key={lane.place} lane={lane} {...shared} />
        ))}
        <Axis scale={picture} zoom={zoom} />
        {picture.isRunning && (
          <div className={css.now} aria-hidden="true">
            <span title={t('now')} />
          </div>
        )}
      </div>
    </div>
  );
}

interface LaneProps extends Pick<Props, 'itemId' | 'picture'> {
  readonly lane: Lane;
  /** Keys of rows that the one pointed at began with. */
  readonly wanted: ReadonlySet<string>;
  readonly onPoint: (key: string | undefined) => void;
}

/** What works in the same place, under its name. */
function LaneOf({ lane: { place, rows }, ...rest }: LaneProps) {
  const t = useTranslations('timeline');
  const all = rows.map((row) => <RowOf key={row.key} row={row} {...rest} />);
  if (!isLabelled(place)) return all;
  const name = t(`place.${place}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a lane of a picture is no part of a form
    <div role="group" aria-label={name} data-place={place}>
      <div className={css.label}>
        <span>{name}</span>
      </div>
      {all}
    </div>
  );
}

interface RowProps extends Omit<LaneProps, 'lane'> {
  readonly row: Row;
}

function RowOf({ itemId, picture, row, wanted, onPoint }: RowProps) {
  const t = useTranslations('timeline');
  const name = useRowName()(row);
  const isConflict = row.merge === 'conflict';
  const isFirst = picture.rows[0] === row;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing shows more, and so does the focus of a bar
    <div
      className={css.row}
      data-row=""
      data-wanted={wanted.has(row.key) || undefined}
      onMouseEnter={() => onPoint(row.key)}
      onMouseLeave={() => onPoint(undefined)}
      onFocus={() => onPoint(row.key)}
      onBlur={() => onPoint(undefined)}
    >
      <span className={css.name} title={isConflict ? `${name}\n${t('conflict')}` : name} dir="auto">
        {isConflict && (
          <span className={css.conflict} role="img" aria-label={t('conflict')}>
            ✕
          </span>
        )}
        {name}
      </span>
      <div className={css.lane}>
        {row.bars.map((bar, index) => (
          <Bar key={bar.id} {...{ itemId, picture, row, bar }} canTab={isFirst && index === 0} />
        ))}
      </div>
    </div>
  );
}
