import type { SideWrite } from '../../core/index.ts';
import type { WriteBatch } from '../ops.ts';
import { epochReached, itemValues, type PlainSideWrite, sideValues, submissionValues } from '../row-values.ts';
import type { EventRow, ItemRow, ItemTextRow, RowChange, RunDispatch, RunEnd, RunRow } from '../rows.ts';
import type { TalkChange } from '../talk-rows.ts';
import { talkValues } from '../talk-values.ts';
import type { Statements, StoredRun } from './statements.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function addEvent(s: Statements, itemId: string, event: EventRow): void {
  s.addEvent.run(itemId, event.seq, event.type, event.version, event.at, event.data);
}

export function putItem(s: Statements, row: ItemRow): void {
  s.putItem.run(...itemValues(row));
}

function startRun(s: Statements, run: RunRow): void {
  s.startRun.run(
    run.itemId,
    run.startedSeq,
    run.runId,
    run.actionId,
    run.generation,
    run.ordinal,
    run.epoch,
    run.owner,
    run.status,
    run.alone ? 1 : 0,
    run.startedAt,
    run.dispatchedAt,
    run.endedAt,
    run.endedSeq,
    run.base,
    run.commit,
    run.code,
    run.summary,
    run.error,
    run.attemptCharged ? 1 : 0,
    json(run.usage),
    json(run.enforcement),
    json(run.agent),
    JSON.stringify(run.receipts),
  );
}

function dispatchRun(s: Statements, run: RunDispatch): void {
  s.dispatchRun.run(run.dispatchedAt, run.base, json(run.enforcement), json(run.agent), run.itemId, run.startedSeq);
}

function endRun(s: Statements, run: RunEnd): void {
  s.endRun.run(
    run.status,
    run.endedAt,
    run.endedSeq,
    run.commit,
    run.code,
    run.summary,
    run.error,
    run.attemptCharged ? 1 : 0,
    json(run.usage),
    JSON.stringify(run.receipts),
    run.itemId,
    run.startedSeq,
  );
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** A Run's row as the other layers see it; field by field, since a hundred are read at a time and a spread is slow. */
export function runRow(row: StoredRun): RunRow {
  return {
    itemId: row.itemId,
    runId: row.runId,
    actionId: row.actionId,
    generation: row.generation,
    ordinal: row.ordinal,
    epoch: row.epoch,
    owner: row.owner,
    status: row.status as RunRow['status'],
    alone: row.alone === 1,
    startedSeq: row.startedSeq,
    startedAt: row.startedAt,
    dispatchedAt: row.dispatchedAt,
    endedAt: row.endedAt,
    endedSeq: row.endedSeq,
    base: row.base,
    commit: row.commitId,
    code: row.code,
    summary: row.summary,
    error: row.error,
    attemptCharged: row.attemptCharged === 1,
    usage: parsed<NonNullable<RunRow['usage']>>(row.usage),
    enforcement: parsed<NonNullable<RunRow['enforcement']>>(row.enforcement),
    agent: parsed<NonNullable<RunRow['agent']>>(row.agent),
    receipts: JSON.parse(row.receipts) as RunRow['receipts'],
  };
}

const TALK = {
  entry_add: 'addEntry',
  entry_move: 'moveEntry',
  call_start: 'startCall',
  call_dispatch: 'dispatchCall',
  call_end: 'endCall',
  call_drop: 'giveUpCall',
  call_correct: 'correctCall',
} as const satisfies Record<TalkChange['kind'], keyof Statements>;

const textValues = ({ itemId, title, goal, originClient, originSession }: ItemTextRow) =>
  [itemId, title, goal, originClient, originSession] as const;

export function applyChange(s: Statements, change: RowChange): void {
  switch (change.kind) {
    case 'item_put':
      putItem(s, change.row);
      return;
    case 'text_put':
      s.putText.run(...textValues(change.row));
      return;
    case 'run_start':
      startRun(s, change.row);
      return;
    case 'run_dispatch':
      dispatchRun(s, change.row);
      return;
    case 'run_end':
      endRun(s, change.row);
      return;
    case 'lane_count':
      s.addLaneCount.run(change.directory, change.lane, change.delta);
      return;
    default:
      s[TALK[change.kind]].run(...talkValues(change));
  }
}

function putLease(s: Statements, write: Extract<SideWrite, { kind: 'lease_put' }>): void {
  const { lease, itemId, runId, alone } = write;
  const { resource, epoch, owner, expiresAt } = lease;
  const { changes } = s.putLease.run(resource, epoch, owner, expiresAt, itemId, runId, alone ? 1 : 0);
  if (changes !== 1) throw epochReached(write);
}

const SIDE = {
  lease_drop: 'dropLease',
  lease_idle: 'idleLease',
  day_charge: 'chargeDay',
  hold_put: 'putHold',
  hold_drop: 'dropHold',
  hold_wait: 'waitForHold',
  hold_unwait: 'unwaitHold',
} as const satisfies Record<PlainSideWrite['kind'], keyof Statements>;

function applySide(s: Statements, write: SideWrite): void {
  if (write.kind === 'lease_put') putLease(s, write);
  else s[SIDE[write.kind]].run(...sideValues(write));
}

/** Writes a batch inside the caller's transaction. */
export function writeBatch(s: Statements, batch: WriteBatch): void {
  for (const event of batch.events) addEvent(s, batch.itemId, event);
  for (const change of batch.changes) applyChange(s, change);
  for (const write of batch.side) applySide(s, write);
  const { snapshot, submission } = batch;
  if (snapshot) s.putSnapshot.run(batch.itemId, snapshot.version, snapshot.format, snapshot.data);
  if (submission) s.addSubmission.run(...submissionValues(submission));
}
