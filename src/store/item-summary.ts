import type { HoldCode } from '../core/index.ts';
import { readMarks } from './proof-marks.ts';
import type { ItemRow } from './rows.ts';
import type { ItemSummary } from './store.ts';

/** The card of an item from its row, and from the reason why it cannot be read, if there is one. */
export const summaryOf = (row: ItemRow, quarantined: string | null): ItemSummary => ({
  id: row.id,
  version: row.version,
  title: row.title,
  directory: row.directory,
  lifecycle: row.lifecycle,
  ...(row.holdCode === null ? {} : { holdCode: row.holdCode as HoldCode }),
  lane: row.lane,
  proven: row.proven,
  total: row.total,
  openRequests: row.openRequests,
  running: row.running,
  usage: {
    wallMs: row.wallMs,
    requests: row.requests,
    tokens: row.tokens,
    costMicros: row.costMicros,
    unpriced: row.unpriced,
    metered: row.metered === 1,
  },
  ...(row.marks === '' ? {} : { marks: readMarks(row.marks) }),
  costLimitMicros: row.costLimitMicros,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  statusSentence: row.sentence,
  ...(quarantined === null ? {} : { quarantined }),
});
