import type { Span, TimelineAction } from '../../../../src/client/index.ts';
import { groupsOf } from './groups-of.ts';
import { type Arrival, arrivalsOf, type Link, linksOf } from './links.ts';

/** How a span went, as it looks: colour and pattern are of the outcome, never of who did it. */
export type Outcome = 'ok' | 'failed' | 'running' | 'unknown' | 'held';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  completed: 'ok',
  responded: 'ok',
  running: 'running',
  prepared: 'running',
  dispatching: 'running',
  failed: 'failed',
  retryable: 'failed',
  rejected: 'failed',
  waiting: 'held',
  cancelled: 'held',
  superseded: 'held',
  abandoned: 'held',
};

export const outcomeOf = (status: string): Outcome => OUTCOMES[status] ?? 'unknown';

export interface Bar extends Span {
  readonly outcome: Outcome;
  readonly end: number;
}

type ActionPlace = TimelineAction['workspace'];
/** Where a row's work is done; the Coordinator and the engine's checks have no workspace. */
export type Place = 'coordinator' | ActionPlace | 'engine';

/** One line of the picture: the Coordinator, an Action, or all that the engine checked. */
export interface Row {
  readonly key: string;
  readonly place: Place;
  /** Empty where the place says it. */
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly merge: TimelineAction['merge'];
  readonly bars: readonly Bar[];
  /** How many rows, and how many labels of lanes, stand above it. */
  readonly above: { readonly rows: number; readonly labels: number };
}

/** Rows that work in the same place, or each in one of the same kind. */
export interface Lane {
  readonly place: Place;
  readonly rows: readonly Row[];
}

export interface Picture {
  readonly lanes: readonly Lane[];
  readonly rows: readonly Row[];
  readonly links: readonly Link[];
  /** By the bar at which they arrive. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  readonly from: number;
  readonly to: number;
  readonly isRunning: boolean;
}

/** Of a lane without a label the row's own name says all. */
export const isLabelled = (place: Place): place is ActionPlace => place !== 'coordinator' && place !== 'engine';

const barOf = (span: Span, now: number): Bar => ({
  ...span,
  outcome: outcomeOf(span.status),
  end: Math.max(span.endedAt ?? now, span.startedAt),
});

/** The requests of a turn are one bar: from its first to its last. */
function turnsOf(spans: readonly Span[], now: number): readonly Bar[] {
  const turns = new Map<string, Bar>();
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const before = turns.get(span.id);
    const startedAt = before?.startedAt ?? span.startedAt;
    turns.set(span.id, { ...barOf(span, now), startedAt });
  }
  return [...turns.values()];
}

type LooseRow = Omit<Row, 'above'>;

const EMPTY = { name: '', dependsOn: [], merge: 'none' } as const;

/** All checks of the engine share a row; of an Action that is not known here there is only its id. */
const keyOf = ({ actionId }: Bar, actions: ReadonlyMap<string, TimelineAction>): string =>
  actions.get(actionId ?? '')?.kind === 'verify' ? 'engine' : `action ${actionId}`;

function rowOf(key: string, bars: readonly Bar[], actions: ReadonlyMap<string, TimelineAction>): LooseRow {
  if (key === 'engine') return { ...EMPTY, key, place: 'engine', bars };
  const id = bars[0]?.actionId ?? '';
  const action = actions.get(id);
  if (!action) return { ...EMPTY, key, place: 'read', name: id, bars };
  const { name, workspace: place, dependsOn, merge } = action;
  return { key, place, name, dependsOn, merge, bars };
}

/** Lanes by the first Run in them, so that lines run down to where they come together; the checks last. */
function lanesOf(rows: readonly LooseRow[]): readonly Lane[] {
  const byPlace = groupsOf(rows, ({ place }) => place);
  const lanes: Lane[] = [];
  const above = { rows: 0, labels: 0 };
  for (const [place, each] of [...byPlace].toSorted(([a], [b]) => Number(a === 'engine') - Number(b === 'engine'))) {
    if (isLabelled(place)) above.labels += 1;
    const placed = each.map((row, index) => ({ ...row, above: { ...above, rows: above.rows + index } }));
    above.rows += each.length;
    lanes.push({ place, rows: placed });
  }
  return lanes;
}

/** What ran when: the Coordinator first, then a lane for each workspace with a row for each Action, the checks last. */
export function pictureOf(spans: readonly Span[], list: readonly TimelineAction[], now: number): Picture {
  const actions = new Map(list.map((action) => [action.id, action]));
  const turns = turnsOf(
    spans.filter(({ kind }) => kind === 'turn'),
    now,
  );
  const runs = spans.filter(({ kind }) => kind === 'run').toSorted((a, b) => a.startedAt - b.startedAt);
  const bars = runs.map((span) => barOf(span, now));
  const coordinator: LooseRow = { ...EMPTY, key: 'coordinator', place: 'coordinator', bars: turns };
  const byRow = groupsOf(bars, (bar) => keyOf(bar, actions));
  const others = [...byRow].map(([key, each]) => rowOf(key, each, actions));
  const lanes = lanesOf(turns.length > 0 ? [coordinator, ...others] : others);
  const rows = lanes.flatMap((lane) => lane.rows);
  const links = linksOf(rows);
  const all = [...turns, ...bars];
  const from = all.reduce((least, { startedAt }) => Math.min(least, startedAt), Number.POSITIVE_INFINITY);
  const to = all.reduce((most, { end }) => Math.max(most, end), 0);
  return {
    ...{ lanes, rows, links, arrivals: arrivalsOf(rows, links), from, to: Math.max(to, from + 1) },
    isRunning: spans.some(({ endedAt }) => endedAt === null),
  };
}
