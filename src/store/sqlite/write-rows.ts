import type { SideWrite } from '../../core/index.ts';
import type { WriteBatch } from '../ops.ts';
import type { EventRow, ItemRow, RowChange, RunDispatch, RunEnd, RunRow, SubmissionRow } from '../rows.ts';
import { StoreError } from '../store-error.ts';
import type { Statements, StoredRun } from './statements.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function addEvent(s: Statements, itemId: string, event: EventRow): void {
  s.addEvent.run(itemId, event.seq, event.type, event.version, event.at, event.data);
}

export function putItem(s: Statements, row: ItemRow): void {
  s.putItem.run(
    row.id,
    row.version,
    row.createdAt,
    row.updatedAt,
    row.title,
    row.directory,
    row.lifecycle,
    row.holdCode,
    row.lane,
    row.proven,
    row.total,
    row.openRequests,
    row.running,
    row.wallMs,
    row.requests,
    row.tokens,
    row.metered,
    row.sentence,
    row.claimKey,
    row.dueAt,
  );
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
    JSON.stringify(run.receipts),
  );
}

function dispatchRun(s: Statements, run: RunDispatch): void {
  s.dispatchRun.run(run.dispatchedAt, run.base, json(run.enforcement), run.itemId, run.startedSeq);
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

/** A Run's row as the other layers see it. */
export function runRow({ alone, attemptCharged, commitId, usage, enforcement, receipts, ...rest }: StoredRun): RunRow {
  return {
    ...rest,
    status: rest.status as RunRow['status'],
    alone: alone === 1,
    attemptCharged: attemptCharged === 1,
    commit: commitId,
    usage: usage === null ? null : (JSON.parse(usage) as RunRow['usage']),
    enforcement: enforcement === null ? null : (JSON.parse(enforcement) as RunRow['enforcement']),
    receipts: JSON.parse(receipts) as RunRow['receipts'],
  };
}

export function applyChange(s: Statements, change: RowChange): void {
  switch (change.kind) {
    case 'item_put':
      putItem(s, change.row);
      return;
    case 'text_put':
      s.putText.run(change.row.itemId, change.row.title, change.row.goal);
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
  }
}

/** A lease of an epoch that is not new would let two owners believe in it: damage, and never written. */
function putLease(s: Statements, write: Extract<SideWrite, { kind: 'lease_put' }>): void {
  const { lease, itemId, runId, alone } = write;
  const { resource, epoch, owner, expiresAt } = lease;
  const { changes } = s.putLease.run(resource, epoch, owner, expiresAt, itemId, runId, alone ? 1 : 0);
  if (changes === 1) return;
  throw new StoreError('store_corrupt', `Lease ${resource} has reached epoch ${epoch} already; run workcenter doctor.`);
}

function applySide(s: Statements, write: SideWrite): void {
  switch (write.kind) {
    case 'lease_put':
      putLease(s, write);
      return;
    case 'lease_drop':
      s.dropLease.run(write.resource, write.epoch);
      return;
    case 'hold_put':
      s.putHold.run(write.hold.runId, write.hold.key, write.hold.mode, write.hold.itemId);
      return;
    case 'hold_drop':
      s.dropHold.run(write.runId);
      return;
    case 'hold_wait':
      s.waitForHold.run(write.key, write.itemId);
      return;
    case 'hold_unwait':
      s.unwaitHold.run(write.key, write.itemId);
      return;
  }
}

function addSubmission(s: Statements, row: SubmissionRow): void {
  s.addSubmission.run(row.key, row.commandHash, row.itemId, row.firstSeq, row.lastSeq, row.at);
}

/** Writes a batch inside the caller's transaction. */
export function writeBatch(s: Statements, batch: WriteBatch): void {
  for (const event of batch.events) addEvent(s, batch.itemId, event);
  for (const change of batch.changes) applyChange(s, change);
  for (const write of batch.side) applySide(s, write);
  const { snapshot, submission } = batch;
  if (snapshot) s.putSnapshot.run(batch.itemId, snapshot.version, snapshot.format, snapshot.data);
  if (submission) addSubmission(s, submission);
}
