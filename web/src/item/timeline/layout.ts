import type { Span, TimelineAction } from '../../../../src/client/index.ts';

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

/** One line of the picture: the Coordinator, an Action, or all that the engine checked. */
export interface Row {
  readonly key: string;
  readonly kind: 'coordinator' | 'action' | 'engine';
  /** Empty where the kind says it. */
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly bars: readonly Bar[];
}

export interface Picture {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly to: number;
  readonly isRunning: boolean;
}

/** The requests of a turn are one bar: from its first to its last. */
function turnsOf(spans: readonly Span[], now: number): readonly Bar[] {
  const turns = new Map<string, Bar>();
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const before = turns.get(span.id);
    const startedAt = before?.startedAt ?? span.startedAt;
    turns.set(span.id, { ...span, startedAt, outcome: outcomeOf(span.status), end: span.endedAt ?? now });
  }
  return [...turns.values()];
}

const barOf = (span: Span, now: number): Bar => ({
  ...span,
  outcome: outcomeOf(span.status),
  end: Math.max(span.endedAt ?? now, span.startedAt),
});

/** Which row a Run stands in: all checks of the engine share one. */
const rowKey = (actionId: string, actions: ReadonlyMap<string, TimelineAction>): string =>
  actions.get(actionId)?.kind === 'verify' ? 'engine' : `action ${actionId}`;

function rowOf(key: string, bars: readonly Bar[], actions: ReadonlyMap<string, TimelineAction>): Row {
  if (key === 'engine') return { key, kind: 'engine', name: '', dependsOn: [], bars };
  const id = bars[0]?.actionId ?? '';
  const action = actions.get(id);
  return { key, kind: 'action', name: action?.name ?? id, dependsOn: action?.dependsOn ?? [], bars };
}

/** What ran when, as rows of bars: the Coordinator first, Actions by their first Run, the engine's checks last. */
export function pictureOf(spans: readonly Span[], list: readonly TimelineAction[], now: number): Picture {
  const actions = new Map(list.map((action) => [action.id, action]));
  const turns = turnsOf(
    spans.filter(({ kind }) => kind === 'turn'),
    now,
  );
  const bars = new Map<string, Bar[]>();
  const runs = spans.filter(({ kind }) => kind === 'run').toSorted((a, b) => a.startedAt - b.startedAt);
  for (const span of runs) {
    const key = rowKey(span.actionId ?? '', actions);
    const row = bars.get(key) ?? [];
    row.push(barOf(span, now));
    bars.set(key, row);
  }
  const engine = bars.get('engine');
  bars.delete('engine');
  const rows = [
    ...(turns.length > 0
      ? [{ key: 'coordinator', kind: 'coordinator' as const, name: '', dependsOn: [], bars: turns }]
      : []),
    ...[...bars].map(([key, each]) => rowOf(key, each, actions)),
    ...(engine ? [rowOf('engine', engine, actions)] : []),
  ];
  const all = rows.flatMap((row) => row.bars);
  const from = all.reduce((least, { startedAt }) => Math.min(least, startedAt), Number.POSITIVE_INFINITY);
  const to = all.reduce((most, { end }) => Math.max(most, end), 0);
  return { rows, from, to: Math.max(to, from + 1), isRunning: spans.some(({ endedAt }) => endedAt === null) };
}

/** Where an instant stands, in percent of the whole. */
export const placeOf = ({ from, to }: Picture, at: number): number => ((at - from) / (to - from)) * 100;

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
);
const MOST_TICKS = 6;

/** Round instants to write below the picture, a handful of them. */
export function ticksOf({ from, to }: Pick<Picture, 'from' | 'to'>, most = MOST_TICKS): readonly number[] {
  const whole =
    STEPS.find((step) => (to - from) / step <= most) ?? Math.ceil((to - from) / most / 86_400_000) * 86_400_000;
  const first = Math.ceil(from / whole) * whole;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / whole) + 1) }, (_, n) => first + n * whole);
}
