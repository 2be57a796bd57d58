import type { Migration } from '../migration.ts';

/**
 * The first schema. `events` is the truth; `work_items`, `item_texts`, `runs` and `lane_counts` are projections of
 * it; the other tables stand beside the streams and are never folded.
 */
export const firstSchema: Migration = {
  version: 1,
  name: 'first-schema',
  breaking: true,
  sql: `
CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  UNIQUE (item_id, seq)
) STRICT;

CREATE TABLE snapshots (
  item_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  format INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;

CREATE TABLE submissions (
  key TEXT PRIMARY KEY,
  command_hash TEXT NOT NULL,
  item_id TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE work_items (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  title TEXT NOT NULL,
  directory TEXT NOT NULL,
  lifecycle TEXT NOT NULL,
  hold_code TEXT,
  lane TEXT NOT NULL,
  proven INTEGER NOT NULL,
  total INTEGER NOT NULL,
  open_requests INTEGER NOT NULL,
  running INTEGER NOT NULL,
  wall_ms INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  metered INTEGER NOT NULL,
  sentence TEXT NOT NULL,
  claim_key INTEGER NOT NULL,
  due_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX work_items_by_lane ON work_items (lane, updated_at, id);
CREATE INDEX work_items_by_directory ON work_items (directory, lane, updated_at, id);
CREATE INDEX work_items_turns ON work_items (claim_key, id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX work_items_next ON work_items (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE item_texts (
  item_id TEXT PRIMARY KEY REFERENCES work_items (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  goal TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lane_counts (
  directory TEXT NOT NULL,
  lane TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (directory, lane)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  item_id TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  started_seq INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  owner TEXT NOT NULL,
  status TEXT NOT NULL,
  alone INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  dispatched_at INTEGER,
  ended_at INTEGER,
  ended_seq INTEGER,
  base TEXT,
  commit_id TEXT,
  code TEXT,
  summary TEXT NOT NULL,
  error TEXT,
  attempt_charged INTEGER NOT NULL,
  usage TEXT,
  enforcement TEXT,
  receipts TEXT NOT NULL,
  PRIMARY KEY (item_id, started_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_action ON runs (item_id, action_id, started_seq);

CREATE TABLE leases (
  resource TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  owner TEXT,
  expires_at INTEGER NOT NULL,
  item_id TEXT,
  run_id TEXT,
  alone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_of_runs ON leases (owner, alone, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX leases_expiry ON leases (expires_at, resource) WHERE run_id IS NOT NULL;

CREATE TABLE holds (
  run_id TEXT PRIMARY KEY,
  hold_key TEXT NOT NULL,
  mode TEXT NOT NULL,
  item_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX holds_by_key ON holds (hold_key);

CREATE TABLE hold_waiters (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  hold_key TEXT NOT NULL,
  item_id TEXT NOT NULL,
  UNIQUE (hold_key, item_id)
) STRICT;

CREATE TABLE quarantined (
  item_id TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
  owner TEXT PRIMARY KEY,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  version TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE processes (
  run_id TEXT PRIMARY KEY,
  item_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX processes_by_machine ON processes (machine);

CREATE TABLE content (
  hash TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT;
CREATE INDEX content_by_age ON content (stored_at, hash);

CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT;
`,
};
