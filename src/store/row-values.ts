import type { SideWrite } from '../core/index.ts';
import { dayOf } from './days.ts';
import type { ItemRow, SubmissionRow } from './rows.ts';
import { StoreError } from './store-error.ts';

/*
 * What the write statements bind, in the order of their columns. Both databases name the columns in this order, so
 * that a column is added here and in the two `sql.ts` and nowhere else.
 */

type Value = string | number | null;

/** Values of `PUT_ITEM`, and the first of PostgreSQL's `APPEND`. */
export const itemValues = (row: ItemRow): readonly Value[] => [
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
  row.costMicros,
  row.unpriced,
  row.metered,
  row.sentence,
  row.marks,
  row.costLimitMicros,
  row.claimKey,
  row.dueAt,
];

/** Values of `ADD_SUBMISSION`. */
export const submissionValues = (row: SubmissionRow): readonly Value[] => [
  row.key,
  row.commandHash,
  row.itemId,
  row.firstSeq,
  row.lastSeq,
  row.at,
];

/** A side write whose outcome nobody has to look at. */
export type PlainSideWrite = Exclude<SideWrite, { kind: 'lease_put' }>;

/** Values of the statement of a side write. */
export function sideValues(write: PlainSideWrite): readonly Value[] {
  switch (write.kind) {
    case 'lease_drop':
      return [write.resource, write.epoch];
    case 'lease_idle':
      return [write.idle ? 1 : 0, write.resource, write.epoch];
    case 'day_charge':
      return [dayOf(write.at), write.tokens, write.costMicros];
    case 'hold_put':
      return [write.hold.runId, write.hold.key, write.hold.mode, write.hold.itemId];
    case 'hold_drop':
      return [write.runId];
    case 'hold_wait':
    case 'hold_unwait':
      return [write.key, write.itemId];
  }
}

/** A lease of an epoch that is not new would let two owners believe in it: damage, and never written. */
export const epochReached = ({ lease }: Extract<SideWrite, { kind: 'lease_put' }>): StoreError =>
  new StoreError(
    'store_corrupt',
    `Lease ${lease.resource} has reached epoch ${lease.epoch} already; run workcenter doctor.`,
  );
