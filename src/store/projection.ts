import { dueAt, type EventBody, goalOf, type ItemState, laneOf, type StoredEvent, sentenceOf } from '../core/index.ts';
import { projectCalls } from './project-calls.ts';
import { isSpokenTo, projectEntries } from './project-entries.ts';
import { marksOf } from './proof-marks.ts';
import type { ItemRow, ItemTextRow, RowChange, RunRow } from './rows.ts';
import { stepsOf } from './states-between.ts';
import { storable, storableOrNull } from './storable.ts';

type Claimed = Extract<EventBody, { type: 'RunClaimed' }>;
type Settled = Extract<EventBody, { type: 'RunSettled' }>;

/** The searched text of an item. */
export const textRow = (state: ItemState): ItemTextRow => ({
  itemId: state.id,
  title: storable(state.contract.title),
  goal: storable(state.contract.goal),
  originClient: storable(state.origin?.client ?? ''),
  originSession: storable(state.origin?.sessionId ?? ''),
});

/** What lists, the scheduler and the door see of an item without folding it. */
export function itemRow(state: ItemState): ItemRow {
  const goal = goalOf(state);
  const { proven, total } = goal;
  const { usage } = state;
  return {
    id: state.id,
    version: state.version,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    title: storable(state.contract.title),
    directory: storable(state.contract.directory),
    lifecycle: state.lifecycle,
    holdCode: state.hold?.code ?? null,
    lane: laneOf(state),
    proven,
    total,
    openRequests: state.requests.length,
    running: state.runs.length,
    wallMs: usage.wallMs,
    requests: usage.requests,
    tokens: usage.tokens,
    costMicros: usage.costMicros,
    unpriced: usage.unpriced,
    metered: usage.metered ? 1 : 0,
    sentence: storable(sentenceOf(state, goal)),
    marks: marksOf(state, goal.criteria),
    costLimitMicros: state.limits.costMicros,
    claimKey: state.claimKey,
    dueAt: dueAt(state),
  };
}

const startedRun = (itemId: string, { run }: Claimed): RunRow => ({
  itemId,
  runId: run.id,
  actionId: run.actionId,
  generation: run.generation,
  ordinal: run.ordinal,
  epoch: run.epoch,
  owner: run.owner,
  status: 'running',
  alone: run.alone,
  startedSeq: run.startedSeq,
  startedAt: run.startedAt,
  dispatchedAt: null,
  endedAt: null,
  endedSeq: null,
  base: run.base,
  commit: null,
  code: null,
  summary: '',
  error: null,
  attemptCharged: false,
  usage: null,
  enforcement: null,
  agent: null,
  receipts: [],
});

const endedRun = (itemId: string, startedSeq: number, event: StoredEvent, body: Settled): RowChange => ({
  kind: 'run_end',
  row: {
    itemId,
    startedSeq,
    status: body.run.status,
    endedAt: event.at,
    endedSeq: event.seq,
    commit: body.result?.commit ?? null,
    code: storableOrNull(body.run.code),
    summary: storable(body.run.summary),
    error: storableOrNull(body.run.error),
    attemptCharged: body.attemptCharged,
    usage: body.usage,
    receipts: body.run.receipts,
  },
});

/** Where a Run's row is: it was live before, or was claimed by an earlier event of the same batch. */
function startOf(runId: string, before: ItemState | undefined, events: readonly StoredEvent[]): number {
  const live = before?.runs.find((run) => run.id === runId);
  if (live) return live.startedSeq;
  for (const { body } of events) {
    if (body.type === 'RunClaimed' && body.run.id === runId) return body.run.startedSeq;
  }
  return 0;
}

function runChange(
  itemId: string,
  event: StoredEvent,
  before: ItemState | undefined,
  events: readonly StoredEvent[],
): RowChange | undefined {
  const { body } = event;
  switch (body.type) {
    case 'RunClaimed':
      return { kind: 'run_start', row: startedRun(itemId, body) };
    case 'RunDispatched': {
      const startedSeq = startOf(body.runId, before, events);
      const { base, enforcement, agent = null } = body;
      return { kind: 'run_dispatch', row: { itemId, startedSeq, dispatchedAt: event.at, base, enforcement, agent } };
    }
    case 'RunSettled':
      return endedRun(itemId, startOf(body.run.id, before, events), event, body);
    default:
      return undefined;
  }
}

/** The rows of Runs alone; they depend on nothing but the events and who was live before. */
export function projectRuns(
  itemId: string,
  before: ItemState | undefined,
  events: readonly StoredEvent[],
): readonly RowChange[] {
  return events.flatMap((event) => runChange(itemId, event, before, events) ?? []);
}

/** The rows that grow with the stream, of Runs, entries and calls; `before` and the events are all they depend on. */
export function projectStream(
  itemId: string,
  before: ItemState | undefined,
  events: readonly StoredEvent[],
): readonly RowChange[] {
  const isTalked = isSpokenTo(before, events);
  const talk = stepsOf(itemId, before, events).flatMap((step): readonly RowChange[] => [
    ...(isTalked ? projectEntries(step) : []),
    ...projectCalls(step),
  ]);
  return [...projectRuns(itemId, before, events), ...talk];
}

/** An item counts once, under its directory and lane; only a move touches the counters. */
function countChanges(before: ItemState | undefined, after: ItemState): readonly RowChange[] {
  const to = { directory: storable(after.contract.directory), lane: laneOf(after) };
  if (!before) return [{ kind: 'lane_count', ...to, delta: 1 }];
  const from = { directory: storable(before.contract.directory), lane: laneOf(before) };
  if (from.directory === to.directory && from.lane === to.lane) return [];
  return [
    { kind: 'lane_count', ...from, delta: -1 },
    { kind: 'lane_count', ...to, delta: 1 },
  ];
}

/**
 * The read tables as a pure function of what happened: which rows change when `events` lead from `before` to
 * `after`. Splitting the same events into other batches leads to the same rows; `doctor` relies on it.
 */
export function project(
  before: ItemState | undefined,
  after: ItemState,
  events: readonly StoredEvent[],
): readonly RowChange[] {
  const changes: RowChange[] = [{ kind: 'item_put', row: itemRow(after) }];
  if (before?.contract.title !== after.contract.title || before.contract.goal !== after.contract.goal) {
    changes.push({ kind: 'text_put', row: textRow(after) });
  }
  changes.push(...projectStream(after.id, before, events), ...countChanges(before, after));
  return changes;
}
