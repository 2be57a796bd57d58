import type { Picture, Row } from './layout.ts';
import type { Link } from './links.ts';
import { placeOf } from './scale.ts';
import css from './timeline.module.css';

interface Props {
  readonly picture: Picture;
  /** Key of the row that is pointed at: its lines stand out. */
  readonly pointed: string | undefined;
}

/** How results went on: along their own row, then down to what began with them. The bars say the same in words. */
export function Lines({ picture, pointed }: Props) {
  const rows = new Map(picture.rows.map((row) => [row.key, row]));
  return (
    <div className={css.links} aria-hidden="true">
      {picture.links.map((link) => {
        const from = rows.get(link.from);
        const to = rows.get(link.to);
        const isLit = link.from === pointed || link.to === pointed;
        return from && to && <Line key={`${link.from} ${link.bar}`} {...{ picture, link, from, to, isLit }} />;
      })}
    </div>
  );
}

interface LineProps {
  readonly picture: Picture;
  readonly link: Link;
  readonly from: Row;
  readonly to: Row;
  readonly isLit: boolean;
}

/** In heights of rows and labels, which the style knows. */
const down = ({ rows, labels }: Row['above']): string => `var(--row) * ${rows} + var(--lane-label) * ${labels}`;

function Line({ picture, link: { leaves, arrives, bar, brings }, from, to, isLit }: LineProps) {
  const isUp = to.above.rows < from.above.rows;
  const [upper, lower] = isUp ? [to.above, from.above] : [from.above, to.above];
  const left = placeOf(picture, leaves);
  const way = { rows: lower.rows - upper.rows, labels: lower.labels - upper.labels };
  return (
    <span
      className={`${css.link} ${isUp ? css.up : ''}`}
      data-join={(brings && picture.arrivals.get(bar)?.isJoin) || undefined}
      data-lit={isLit || undefined}
      style={{
        left: `${left}%`,
        width: `${placeOf(picture, arrives) - left}%`,
        top: `calc(${down(upper)} + var(--row) / 2)`,
        height: `calc(${down(way)})`,
      }}
    />
  );
}
