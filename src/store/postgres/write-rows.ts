import { invariant, type SideWrite } from '../../core/index.ts';
import type { WriteBatch } from '../ops.ts';
import { epochReached, itemValues, type PlainSideWrite, sideValues, submissionValues } from '../row-values.ts';
import type { EventRow, ItemRow, RowChange, RunDispatch, RunEnd } from '../rows.ts';
import type { TalkChange } from '../talk-rows.ts';
import { talkValues } from '../talk-values.ts';
import { change, type PgClient } from './pool.ts';
import * as sql from './sql.ts';

async function append(client: PgClient, row: ItemRow, events: readonly EventRow[]): Promise<void> {
  const columns = [
    events.map((event) => event.seq),
    events.map((event) => event.type),
    events.map((event) => event.version),
    events.map((event) => event.at),
    events.map((event) => event.data),
  ];
  await change(client, sql.APPEND, ...itemValues(row), ...columns);
}

async function putRunPart(client: PgClient, statement: sql.Statement, row: RunDispatch | RunEnd): Promise<void> {
  await change(client, statement, row.itemId, row.startedSeq, JSON.stringify(row));
}

const TALK: Readonly<Record<TalkChange['kind'], sql.Statement>> = {
  entry_add: sql.ADD_ENTRY,
  entry_move: sql.MOVE_ENTRY,
  call_start: sql.START_CALL,
  call_dispatch: sql.DISPATCH_CALL,
  call_end: sql.END_CALL,
  call_drop: sql.GIVE_UP_CALL,
  call_correct: sql.CORRECT_CALL,
};

async function applyChange(client: PgClient, written: RowChange): Promise<void> {
  switch (written.kind) {
    case 'item_put':
    case 'lane_count':
      // The head goes with its events; counters would make every item wait for one row.
      return;
    case 'text_put':
      await change(client, sql.PUT_TEXT, written.row.itemId, written.row.title, written.row.goal);
      return;
    case 'run_start': {
      const { itemId, startedSeq, actionId } = written.row;
      await change(client, sql.START_RUN, itemId, startedSeq, actionId, JSON.stringify(written.row));
      return;
    }
    case 'run_dispatch':
      await putRunPart(client, sql.DISPATCH_RUN, written.row);
      return;
    case 'run_end':
      await putRunPart(client, sql.END_RUN, written.row);
      return;
    default:
      await change(client, TALK[written.kind], ...talkValues(written));
  }
}

async function putLease(client: PgClient, write: Extract<SideWrite, { kind: 'lease_put' }>): Promise<void> {
  const { lease, itemId, runId, alone } = write;
  const { resource, epoch, owner, expiresAt } = lease;
  const put = await change(client, sql.PUT_LEASE, resource, epoch, owner, expiresAt, itemId, runId, alone);
  if (put !== 1) throw epochReached(write);
}

const SIDE: Readonly<Record<PlainSideWrite['kind'], sql.Statement>> = {
  lease_drop: sql.DROP_LEASE,
  lease_idle: sql.IDLE_LEASE,
  day_charge: sql.CHARGE_DAY,
  hold_put: sql.PUT_HOLD,
  hold_drop: sql.DROP_HOLD,
  hold_wait: sql.WAIT_FOR_HOLD,
  hold_unwait: sql.UNWAIT_HOLD,
};

async function applySide(client: PgClient, write: SideWrite): Promise<void> {
  if (write.kind === 'lease_put') await putLease(client, write);
  else await change(client, SIDE[write.kind], ...sideValues(write));
}

/** Writes a batch inside the caller's transaction: events and head first, where a race is decided. */
export async function writeBatch(client: PgClient, batch: WriteBatch): Promise<void> {
  if (batch.events.length > 0) {
    const head = batch.changes.find((written) => written.kind === 'item_put');
    invariant(head?.kind === 'item_put', `item ${batch.itemId}: events without a head`);
    await append(client, head.row, batch.events);
  }
  for (const written of batch.changes) await applyChange(client, written);
  for (const write of batch.side) await applySide(client, write);
  const { snapshot, submission } = batch;
  if (snapshot) {
    await change(client, sql.PUT_SNAPSHOT, batch.itemId, snapshot.version, snapshot.format, snapshot.data);
  }
  if (submission) await change(client, sql.ADD_SUBMISSION, ...submissionValues(submission));
}
