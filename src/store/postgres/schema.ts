/**
 * The PostgreSQL schema, as far as claim, append and settle need it. Times are milliseconds since the epoch, and
 * `workcenter_now` is the only clock: the database's, whatever the machines of the workers think.
 */
const FIRST_SCHEMA = `
CREATE TABLE schema_migrations (version int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL);
INSERT INTO schema_migrations VALUES (1, 'first-schema', clock_timestamp());

CREATE FUNCTION workcenter_now() RETURNS bigint LANGUAGE sql VOLATILE AS
  'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE work_items (
  id text COLLATE "C" PRIMARY KEY,
  version int NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  title text NOT NULL,
  directory text NOT NULL,
  lifecycle text NOT NULL,
  hold_code text,
  lane text NOT NULL,
  proven int NOT NULL,
  total int NOT NULL,
  open_requests int NOT NULL,
  running int NOT NULL,
  wall_ms double precision NOT NULL,
  requests double precision NOT NULL,
  tokens double precision NOT NULL,
  metered int NOT NULL,
  sentence text NOT NULL,
  claim_key bigint NOT NULL,
  due_at bigint
);
CREATE INDEX work_items_turns ON work_items (claim_key, id) INCLUDE (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX work_items_next ON work_items (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE events (
  item_id text COLLATE "C" NOT NULL,
  seq int NOT NULL,
  type text NOT NULL,
  version int NOT NULL,
  at bigint NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (item_id, seq)
);
CREATE TABLE snapshots (item_id text COLLATE "C" PRIMARY KEY, version int NOT NULL, format int NOT NULL, data text NOT NULL);
CREATE TABLE submissions (
  key text PRIMARY KEY,
  command_hash text NOT NULL,
  item_id text NOT NULL,
  first_seq int NOT NULL,
  last_seq int NOT NULL,
  at bigint NOT NULL
);
CREATE TABLE item_texts (item_id text COLLATE "C" PRIMARY KEY, title text NOT NULL, goal text NOT NULL);
CREATE TABLE runs (
  item_id text COLLATE "C" NOT NULL,
  started_seq int NOT NULL,
  action_id text NOT NULL,
  claimed text NOT NULL,
  dispatched text,
  ended text,
  PRIMARY KEY (item_id, started_seq)
);
CREATE TABLE leases (
  resource text PRIMARY KEY,
  epoch int NOT NULL,
  owner text,
  expires_at bigint NOT NULL,
  item_id text,
  run_id text,
  alone boolean NOT NULL
);
CREATE INDEX leases_of_runs ON leases (owner, alone) WHERE run_id IS NOT NULL;
CREATE INDEX leases_expiry ON leases (expires_at, resource) WHERE run_id IS NOT NULL;
CREATE TABLE holds (run_id text PRIMARY KEY, hold_key text NOT NULL, mode text NOT NULL, item_id text NOT NULL);
CREATE INDEX holds_by_key ON holds (hold_key);
CREATE TABLE hold_waiters (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hold_key text NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  UNIQUE (hold_key, item_id)
);
CREATE TABLE quarantined (item_id text COLLATE "C" PRIMARY KEY, reason text NOT NULL, at bigint NOT NULL);
`;

/** The twin of `../sqlite/migrations/0002-conversation-and-calls.ts`, and content, for what calls name by hash. */
const CONVERSATION_AND_CALLS = `
INSERT INTO schema_migrations VALUES (2, 'conversation-and-calls', clock_timestamp());

ALTER TABLE work_items ADD COLUMN cost_micros double precision NOT NULL DEFAULT 0;
ALTER TABLE work_items ADD COLUMN unpriced double precision NOT NULL DEFAULT 0;
ALTER TABLE leases ADD COLUMN idle int NOT NULL DEFAULT 0;

CREATE TABLE entries (
  item_id text COLLATE "C" NOT NULL,
  seq int NOT NULL,
  entry_id text NOT NULL,
  at bigint NOT NULL,
  author text NOT NULL,
  target_kind text NOT NULL,
  target_id text,
  text text NOT NULL,
  quote text,
  attachments text NOT NULL,
  delivery text NOT NULL,
  detail text,
  PRIMARY KEY (item_id, seq),
  UNIQUE (item_id, entry_id)
);
INSERT INTO entries
  SELECT item_id, seq, data::jsonb ->> 'requestId', at, 'person', 'request', data::jsonb ->> 'requestId',
    data::jsonb ->> 'text', NULL, '[]', 'delivered', NULL
  FROM events WHERE type = 'RequestAnswered' AND btrim(data::jsonb ->> 'text', E' \\t\\n\\r') <> '';

CREATE TABLE calls (
  item_id text COLLATE "C" NOT NULL,
  call_id text NOT NULL,
  seq int NOT NULL,
  owner_kind text NOT NULL,
  owner_id text NOT NULL,
  action_id text,
  n int NOT NULL,
  model text NOT NULL,
  status text NOT NULL,
  request_hash text NOT NULL,
  response_hash text,
  tries int NOT NULL,
  estimate_tokens double precision NOT NULL,
  estimate_cost_micros double precision,
  charged_tokens double precision,
  charged_cost_micros double precision,
  input_tokens double precision,
  output_tokens double precision,
  cache_read_tokens double precision,
  cache_write_tokens double precision,
  reasoning_tokens double precision,
  stop text,
  code text,
  error text,
  prepared_at bigint NOT NULL,
  dispatched_at bigint,
  ended_at bigint,
  PRIMARY KEY (item_id, call_id)
);
CREATE INDEX calls_by_seq ON calls (item_id, seq);
CREATE INDEX calls_by_owner ON calls (item_id, owner_id, seq);

CREATE TABLE day_counters (day int PRIMARY KEY, tokens double precision NOT NULL, cost_micros double precision NOT NULL);
CREATE TABLE content (hash text PRIMARY KEY, bytes int NOT NULL, body bytea NOT NULL, stored_at bigint NOT NULL);
`;

/** What a row has more since `../sqlite/migrations/0003-side-records.ts`; the records beside the items are not served yet. */
const CARDS = `
INSERT INTO schema_migrations VALUES (3, 'side-records', clock_timestamp());

ALTER TABLE work_items ADD COLUMN marks text NOT NULL DEFAULT '';
ALTER TABLE work_items ADD COLUMN cost_limit_micros double precision;
`;

/** Forward only; the place of a step is its version. */
export const SCHEMA_STEPS: readonly string[] = [FIRST_SCHEMA, CONVERSATION_AND_CALLS, CARDS];
