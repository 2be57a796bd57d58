import { type KeyboardEvent, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Bar } from './bar.tsx';
import { type Picture, placeOf, type Row, ticksOf } from './layout.ts';
import css from './timeline.module.css';

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

/** One bar can be tabbed to; from there arrows lead along the row, and to other rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const row = (event.target as Element).closest('[data-row]');
  if (!step || !row) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll('[data-row]')];
  const bars = [...row.querySelectorAll<HTMLElement>(BARS)];
  const next =
    step[0] === 0
      ? bars[bars.indexOf(event.target as HTMLElement) + step[1]]
      : rows[rows.indexOf(row) + step[0]]?.querySelector<HTMLElement>(BARS);
  next?.focus();
}

/** Labels on the left, which stay while the lanes scroll; dependencies of what is pointed at are marked. */
export function TimelineLanes({ itemId, picture, zoom }: Props) {
  const t = useTranslations('timeline');
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const wanted = new Set(picture.rows.find(({ key }) => key === pointed)?.dependsOn.map((id) => `action ${id}`));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move the focus between the links in it
    <div className={css.scroller} onKeyDown={moveFocus}>
      <div className={css.lanes} style={{ width: `${zoom * 100}%` }}>
        {picture.rows.map((row, index) => (
          <Lane
            key={row.key}
            {...{ itemId, picture, row }}
            isFirst={index === 0}
            isWanted={wanted.has(row.key)}
            onPoint={(isPointed) => setPointed(isPointed ? row.key : undefined)}
          />
        ))}
        <Axis picture={picture} zoom={zoom} />
        {picture.isRunning && (
          <div className={css.now} aria-hidden="true">
            <span title={t('now')} />
          </div>
        )}
      </div>
    </div>
  );
}

interface LaneProps {
  readonly itemId: string;
  readonly picture: Picture;
  readonly row: Row;
  readonly isFirst: boolean;
  readonly isWanted: boolean;
  readonly onPoint: (isPointed: boolean) => void;
}

/** The names of rows that are no Action's. */
export function useRowName(): (row: Row) => string {
  const t = useTranslations('timeline');
  return ({ kind, name }) => (kind === 'action' ? name : t(kind));
}

function Lane({ itemId, picture, row, isFirst, isWanted, onPoint }: LaneProps) {
  const name = useRowName()(row);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing shows more, and so does the focus of a bar
    <div
      className={css.row}
      data-row=""
      data-wanted={isWanted || undefined}
      onMouseEnter={() => onPoint(true)}
      onMouseLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
    >
      <span className={css.name} title={name} dir="auto">
        {name}
      </span>
      <div className={css.lane}>
        {row.bars.map((bar, index) => (
          <Bar key={bar.id} {...{ itemId, picture, bar, name }} canTab={isFirst && index === 0} />
        ))}
      </div>
    </div>
  );
}

const DAY = 86_400_000;

function Axis({ picture, zoom }: Pick<Props, 'picture' | 'zoom'>) {
  const format = useFormatter();
  const length = picture.to - picture.from;
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
        {ticksOf(picture, 4 * zoom).map((at) => (
          <span key={at} style={{ left: `${placeOf(picture, at)}%` }}>
            {written(at)}
          </span>
        ))}
      </div>
    </div>
  );
}
