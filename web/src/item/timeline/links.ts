import { groupsOf } from './groups-of.ts';
import type { Bar, Row } from './layout.ts';

/** From the end of a Run to the beginning of another that built on it. */
export interface Link {
  /** Keys of rows. */
  readonly from: string;
  readonly to: string;
  /** The bar at which it arrives. */
  readonly bar: string;
  readonly leaves: number;
  readonly arrives: number;
  /** It brings what was written: the engine merged it, or met a conflict. Otherwise one only waited for the other. */
  readonly brings: boolean;
  /** What it leads to writes itself, and so carries it on. */
  readonly onward: boolean;
}

/** What a Run began with. */
export interface Arrival {
  readonly from: readonly Row[];
  /** The work of several workspaces comes together here, or what was in conflict is made one. */
  readonly isJoin: boolean;
}

const WRITERS: ReadonlySet<Row['place']> = new Set(['shared', 'isolated-write', 'integrate']);

const lastBefore = (row: Row, at: number): Bar | undefined => row.bars.findLast(({ end }) => end <= at);

/** The Run of `from` that the first one of `to` built on; where that is not known here, the next that could have. */
function linkOf(from: Row, to: Row): Link | undefined {
  const [first] = to.bars;
  const source = (first && lastBefore(from, first.startedAt)) ?? from.bars.at(-1);
  const target = source && to.bars.find(({ startedAt }) => startedAt >= source.end);
  if (!source || !target) return undefined;
  const ends = { leaves: source.end, arrives: target.startedAt };
  const onward = WRITERS.has(to.place);
  return { from: from.key, to: to.key, bar: target.id, ...ends, brings: from.merge !== 'none', onward };
}

const dependencies = (rows: readonly Row[]): readonly Link[] => {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return rows.flatMap((to) =>
    to.dependsOn.flatMap((id) => {
      const from = byKey.get(`action ${id}`);
      return (from && linkOf(from, to)) ?? [];
    }),
  );
};

/** A Run at which the item branch is taken as it is by then. */
interface Meeting {
  readonly row: Row;
  readonly bar: Bar;
  /** What was merged before this was checked by itself. */
  readonly since: number;
}

/** Checks of the engine, and Actions that make one of what is in conflict; by time. */
function meetingsOf(rows: readonly Row[]): readonly Meeting[] {
  const checks = rows.find(({ place }) => place === 'engine')?.bars ?? [];
  const sinceOf = ({ startedAt }: Bar): number =>
    checks.findLast((check) => check.startedAt < startedAt)?.startedAt ?? Number.NEGATIVE_INFINITY;
  return rows
    .flatMap((row) => (row.place === 'engine' ? row.bars : row.bars.slice(0, 1)).map((bar) => ({ row, bar })))
    .filter(({ row: { place } }) => place === 'engine' || place === 'integrate')
    .map(({ row, bar }) => ({ row, bar, since: sinceOf(bar) }))
    .toSorted((a, b) => a.bar.startedAt - b.bar.startedAt);
}

/** What was merged by then, and is in no other work that was. */
function metIn({ row, bar, since }: Meeting, rows: readonly Row[], links: readonly Link[]): readonly Link[] {
  const isThere = (key: string): boolean => links.some(({ from, to }) => from === key && to === row.key);
  const isCarried = (key: string): boolean =>
    links.some(({ from, onward, arrives }) => from === key && onward && arrives < bar.startedAt);
  return rows.flatMap((from): readonly Link[] => {
    if (from.merge !== 'merged' || from === row) return [];
    const leaves = lastBefore(from, bar.startedAt)?.end ?? since;
    // Few are left here: a check is of what came since the one before it.
    if (leaves <= since || isCarried(from.key) || (row.place === 'integrate' && isThere(from.key))) return [];
    const ends = { bar: bar.id, leaves, arrives: bar.startedAt };
    return [{ from: from.key, to: row.key, ...ends, brings: true, onward: WRITERS.has(row.place) }];
  });
}

/** Every line between rows: dependencies of Actions, and what came together where the item branch was taken. */
export function linksOf(rows: readonly Row[]): readonly Link[] {
  const links = [...dependencies(rows)];
  for (const meeting of meetingsOf(rows)) links.push(...metIn(meeting, rows, links));
  return links;
}

/** Those that share a clone have nothing to bring together. */
const workspaceOf = ({ place, key }: Row): string => (place === 'shared' ? place : key);

function arrivalOf(links: readonly Link[], byKey: ReadonlyMap<string, Row>): Arrival {
  const rowsOf = (some: readonly Link[]): readonly Row[] => some.flatMap(({ from }) => byKey.get(from) ?? []);
  const brought = new Set(rowsOf(links.filter(({ brings }) => brings)).map(workspaceOf));
  const isIntegration = byKey.get(links[0]?.to ?? '')?.place === 'integrate';
  return { from: rowsOf(links), isJoin: isIntegration || brought.size > 1 };
}

/** What each Run began with, by the id of its bar. */
export function arrivalsOf(rows: readonly Row[], links: readonly Link[]): ReadonlyMap<string, Arrival> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return new Map([...groupsOf(links, ({ bar }) => bar)].map(([bar, each]) => [bar, arrivalOf(each, byKey)]));
}
