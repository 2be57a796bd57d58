import type { Migration } from '../migration.ts';

/**
 * Records beside the items: tokens, webhooks, deliveries, uploads; a way to a Run by its id, and to items by the tool
 * that created them; what a card shows of proofs and limit. Breaking, because an older program would leave the new
 * columns of the rows that it writes as they were.
 */
export const sideRecords: Migration = {
  version: 3,
  name: 'side-records',
  breaking: true,
  sql: `
CREATE TABLE side_records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX side_records_by_time ON side_records (kind, at, id);
CREATE INDEX runs_by_id ON runs (item_id, run_id);

ALTER TABLE work_items ADD COLUMN marks TEXT NOT NULL DEFAULT '';
ALTER TABLE work_items ADD COLUMN cost_limit_micros INTEGER;

ALTER TABLE item_texts ADD COLUMN origin_client TEXT NOT NULL DEFAULT '';
ALTER TABLE item_texts ADD COLUMN origin_session TEXT NOT NULL DEFAULT '';
UPDATE item_texts SET
  origin_client = coalesce(json_extract(born.data, '$.origin.client'), ''),
  origin_session = coalesce(json_extract(born.data, '$.origin.sessionId'), '')
FROM events AS born
WHERE born.item_id = item_texts.item_id AND born.seq = 1 AND born.type = 'ItemCreated' AND json_valid(born.data);
`,
};
