import type { Migration } from '../migration.ts';

/**
 * Conversation, model calls and money. Breaking, because an older program cannot read the events that are written from
 * now on. Answers that people gave in words before become entries; old Runs learn that they cost no money.
 */
export const conversationAndCalls: Migration = {
  version: 2,
  name: 'conversation-and-calls',
  breaking: true,
  sql: `
ALTER TABLE work_items ADD COLUMN cost_micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE work_items ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN agent TEXT;
UPDATE runs SET usage = json_set(usage, '$.costMicros', 0, '$.unpriced', 0) WHERE usage IS NOT NULL;

ALTER TABLE leases ADD COLUMN idle INTEGER NOT NULL DEFAULT 0;
DROP INDEX leases_of_runs;
CREATE INDEX leases_of_runs ON leases (owner, alone, idle, run_id) WHERE run_id IS NOT NULL;

CREATE TABLE entries (
  item_id TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  entry_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT,
  text TEXT NOT NULL,
  quote TEXT,
  attachments TEXT NOT NULL,
  delivery TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (item_id, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entries_by_id ON entries (item_id, entry_id);
INSERT INTO entries
  SELECT item_id, seq, json_extract(data, '$.requestId'), at, 'person', 'request', json_extract(data, '$.requestId'),
    json_extract(data, '$.text'), NULL, '[]', 'delivered', NULL
  FROM events
  WHERE type = 'RequestAnswered' AND json_valid(data)
    AND trim(json_extract(data, '$.text'), ' ' || char(9, 10, 13)) <> '';

CREATE TABLE calls (
  item_id TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  action_id TEXT,
  n INTEGER NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  response_hash TEXT,
  tries INTEGER NOT NULL,
  estimate_tokens INTEGER NOT NULL,
  estimate_cost_micros INTEGER,
  charged_tokens INTEGER,
  charged_cost_micros INTEGER,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cache_read_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  stop TEXT,
  code TEXT,
  error TEXT,
  prepared_at INTEGER NOT NULL,
  dispatched_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (item_id, call_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_by_seq ON calls (item_id, seq);
CREATE INDEX calls_by_owner ON calls (item_id, owner_id, seq);

CREATE TABLE day_counters (
  day INTEGER PRIMARY KEY,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL
) STRICT;
`,
};
