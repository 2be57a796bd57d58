/** Every statement of the PostgreSQL store; the twins of `../sqlite/sql.ts`. Named, so that each is planned once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const named = (name: string, text: string): Statement => ({ name: `workcenter_${name}`, text });

export const BEGIN = named('begin', 'BEGIN ISOLATION LEVEL READ COMMITTED');
export const COMMIT = named('commit', 'COMMIT');
export const ROLLBACK = named('rollback', 'ROLLBACK');

export const LOCK_SCHEMA = named(
  'lock_schema',
  "SELECT pg_advisory_xact_lock(hashtextextended('workcenter/schema', 0))",
);
export const HAS_LEDGER = named('has_ledger', "SELECT to_regclass('schema_migrations') IS NOT NULL AS known");
export const SCHEMA_VERSIONS = named('schema_versions', 'SELECT max(version) AS version FROM schema_migrations');

/** The version before the clock: the row may have to be waited for. */
export const LOCK_HEAD = named(
  'lock_head',
  `WITH head AS MATERIALIZED (SELECT version FROM work_items WHERE id = $1 FOR UPDATE)
   SELECT coalesce((SELECT version FROM head), 0) AS version, workcenter_now()::float8 AS now`,
);
export const HEAD = named(
  'head',
  `SELECT coalesce((SELECT version FROM work_items WHERE id = $1), 0) AS version, workcenter_now()::float8 AS now`,
);
export const EVENTS = named(
  'events',
  `SELECT seq, at::float8 AS at, type, version, data FROM events
   WHERE item_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`,
);
export const EVENTS_PAGE = named(
  'events_page',
  `SELECT seq, at::float8 AS at, type, version, data FROM events WHERE item_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
);
export const SNAPSHOT = named('snapshot', 'SELECT version, format, data FROM snapshots WHERE item_id = $1');
export const PUT_SNAPSHOT = named(
  'put_snapshot',
  `INSERT INTO snapshots (item_id, version, format, data) VALUES ($1, $2, $3, $4)
   ON CONFLICT (item_id) DO UPDATE SET version = excluded.version, format = excluded.format, data = excluded.data`,
);
export const SUBMISSION = named(
  'submission',
  `SELECT key, command_hash AS "commandHash", item_id AS "itemId", first_seq AS "firstSeq", last_seq AS "lastSeq",
     at::float8 AS at FROM submissions WHERE key = $1`,
);
export const ADD_SUBMISSION = named(
  'add_submission',
  `INSERT INTO submissions (key, command_hash, item_id, first_seq, last_seq, at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Events and head in one round trip. The primary key of both refuses whoever was slower. */
export const APPEND = named(
  'append',
  `WITH appended AS (
     INSERT INTO events (item_id, seq, type, version, at, data)
     SELECT $1, e.seq, e.type, e.version, e.at, e.data
     FROM unnest($21::int[], $22::text[], $23::int[], $24::bigint[], $25::text[]) AS e (seq, type, version, at, data)
   )
   INSERT INTO work_items (id, version, created_at, updated_at, title, directory, lifecycle, hold_code, lane, proven,
     total, open_requests, running, wall_ms, requests, tokens, metered, sentence, claim_key, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
   ON CONFLICT (id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at,
     title = excluded.title, directory = excluded.directory, lifecycle = excluded.lifecycle,
     hold_code = excluded.hold_code, lane = excluded.lane, proven = excluded.proven, total = excluded.total,
     open_requests = excluded.open_requests, running = excluded.running, wall_ms = excluded.wall_ms,
     requests = excluded.requests, tokens = excluded.tokens, metered = excluded.metered,
     sentence = excluded.sentence, claim_key = excluded.claim_key, due_at = excluded.due_at`,
);
export const PUT_TEXT = named(
  'put_text',
  `INSERT INTO item_texts (item_id, title, goal) VALUES ($1, $2, $3)
   ON CONFLICT (item_id) DO UPDATE SET title = excluded.title, goal = excluded.goal`,
);
export const START_RUN = named(
  'start_run',
  'INSERT INTO runs (item_id, started_seq, action_id, claimed) VALUES ($1, $2, $3, $4)',
);
export const DISPATCH_RUN = named(
  'dispatch_run',
  'UPDATE runs SET dispatched = $3 WHERE item_id = $1 AND started_seq = $2',
);
export const END_RUN = named('end_run', 'UPDATE runs SET ended = $3 WHERE item_id = $1 AND started_seq = $2');
export const RUNS = named(
  'runs',
  'SELECT claimed, dispatched, ended FROM runs WHERE item_id = $1 ORDER BY started_seq DESC LIMIT $2',
);
export const RUNS_OF_ACTION = named(
  'runs_of_action',
  'SELECT claimed, dispatched, ended FROM runs WHERE item_id = $1 AND action_id = $3 ORDER BY started_seq DESC LIMIT $2',
);
export const DUE_ITEMS = named(
  'due_items',
  `SELECT id AS "itemId", claim_key::float8 AS "claimKey" FROM work_items
   WHERE due_at IS NOT NULL AND due_at <= $1 AND (claim_key, id) > ($2, $3) ORDER BY claim_key, id LIMIT $4`,
);
export const NEXT_DUE = named(
  'next_due',
  'SELECT min(due_at)::float8 AS at FROM work_items WHERE due_at IS NOT NULL AND due_at > $1',
);

/**
 * Gates: taken after the head, always in this order, before the rows behind them are read. Under READ COMMITTED
 * the next statement then sees what the one before us at the gate has written.
 */
export const GATE_HOLD = named('gate_hold', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))');
export const GATE_SLOTS = named('gate_slots', "SELECT pg_advisory_xact_lock(hashtextextended('workcenter/slots', 2))");
export const LEASE_OF = named(
  'lease_of',
  `SELECT resource, owner, epoch, expires_at::float8 AS "expiresAt" FROM leases
   WHERE resource = $1 AND owner IS NOT NULL FOR UPDATE`,
);
export const LIVE_COUNT = named(
  'live_count',
  `SELECT count(*)::int AS total, (count(*) FILTER (WHERE owner = $1))::int AS "ofOwner",
     coalesce(bool_or(alone) FILTER (WHERE owner = $1), false) AS "ownerAlone"
   FROM leases WHERE run_id IS NOT NULL`,
);
export const HOLDS = named(
  'holds',
  `SELECT hold_key AS key, mode, item_id AS "itemId", run_id AS "runId" FROM holds WHERE hold_key = $1 ORDER BY run_id`,
);
export const HOLD_WAITER = named(
  'hold_waiter',
  `SELECT w.item_id AS "itemId" FROM hold_waiters w JOIN work_items i ON i.id = w.item_id
   WHERE w.hold_key = $1 AND i.due_at IS NOT NULL ORDER BY w.place LIMIT 1`,
);
export const PUT_LEASE = named(
  'put_lease',
  `INSERT INTO leases (resource, epoch, owner, expires_at, item_id, run_id, alone) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (resource) DO UPDATE SET epoch = excluded.epoch, owner = excluded.owner,
     expires_at = excluded.expires_at, item_id = excluded.item_id, run_id = excluded.run_id, alone = excluded.alone
   WHERE excluded.epoch > leases.epoch`,
);
export const DROP_LEASE = named(
  'drop_lease',
  `UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = false WHERE resource = $1 AND epoch = $2`,
);
export const PUT_HOLD = named(
  'put_hold',
  'INSERT INTO holds (run_id, hold_key, mode, item_id) VALUES ($1, $2, $3, $4)',
);
export const DROP_HOLD = named('drop_hold', 'DELETE FROM holds WHERE run_id = $1');
export const WAIT_FOR_HOLD = named(
  'wait_for_hold',
  'INSERT INTO hold_waiters (hold_key, item_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);
export const UNWAIT_HOLD = named('unwait_hold', 'DELETE FROM hold_waiters WHERE hold_key = $1 AND item_id = $2');

export const ACQUIRE_LEASE = named(
  'acquire_lease',
  `INSERT INTO leases (resource, epoch, owner, expires_at, item_id, run_id, alone)
   VALUES ($1, 1, $2, workcenter_now() + $3::bigint, NULL, NULL, false)
   ON CONFLICT (resource) DO UPDATE SET epoch = leases.epoch + 1, owner = excluded.owner,
     expires_at = excluded.expires_at
   WHERE leases.run_id IS NULL AND (leases.owner IS NULL OR leases.expires_at <= workcenter_now())
   RETURNING epoch`,
);
export const RENEW_LEASE = named(
  'renew_lease',
  `UPDATE leases SET expires_at = workcenter_now() + $4::bigint WHERE resource = $1 AND owner = $2 AND epoch = $3`,
);
export const RELEASE_LEASE = named(
  'release_lease',
  `UPDATE leases SET owner = NULL WHERE resource = $1 AND owner = $2 AND epoch = $3 AND run_id IS NULL`,
);
const LEASE = 'item_id AS "itemId", run_id AS "runId", epoch, owner, expires_at::float8 AS "expiresAt"';
export const EXPIRED_RUNS = named(
  'expired_runs',
  `SELECT ${LEASE} FROM leases WHERE run_id IS NOT NULL AND expires_at <= workcenter_now()
   ORDER BY expires_at, resource LIMIT $1`,
);
export const LIVE_RUNS = named(
  'live_runs',
  `SELECT ${LEASE} FROM leases WHERE run_id IS NOT NULL ORDER BY expires_at, resource`,
);
export const QUARANTINE = named(
  'quarantine',
  `WITH parked AS (UPDATE work_items SET due_at = NULL, lane = 'needs_you' WHERE id = $1),
     freed AS (UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = false
       WHERE run_id IS NOT NULL AND item_id = $1)
   INSERT INTO quarantined (item_id, reason, at) VALUES ($1, $2, workcenter_now())
   ON CONFLICT (item_id) DO UPDATE SET reason = excluded.reason`,
);
