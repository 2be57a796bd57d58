import type { Migration } from '../migration.ts';

/**
 * Records beside the items: tokens, webhooks, deliveries, uploads; a way to a Run by its id. An older program does not
 * look at them.
 */
export const sideRecords: Migration = {
  version: 3,
  name: 'side-records',
  breaking: false,
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
`,
};
