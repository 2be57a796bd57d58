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
export const EVENTS_OF_TYPES = named(
  'events_of_types',
  `SELECT seq, at::float8 AS at, type, version, data FROM events
   WHERE item_id = $1 AND seq > $2 AND type = ANY($3) ORDER BY seq LIMIT $4`,
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
     FROM unnest($25::int[], $26::text[], $27::int[], $28::bigint[], $29::text[]) AS e (seq, type, version, at, data)
   )
   INSERT INTO work_items (id, version, created_at, updated_at, title, directory, lifecycle, hold_code, lane, proven,
     total, open_requests, running, wall_ms, requests, tokens, cost_micros, unpriced, metered, sentence, marks,
     cost_limit_micros, claim_key, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
     $21, $22, $23, $24)
   ON CONFLICT (id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at,
     title = excluded.title, directory = excluded.directory, lifecycle = excluded.lifecycle,
     hold_code = excluded.hold_code, lane = excluded.lane, proven = excluded.proven, total = excluded.total,
     open_requests = excluded.open_requests, running = excluded.running, wall_ms = excluded.wall_ms,
     requests = excluded.requests, tokens = excluded.tokens, cost_micros = excluded.cost_micros,
     unpriced = excluded.unpriced, metered = excluded.metered,
     sentence = excluded.sentence, marks = excluded.marks, cost_limit_micros = excluded.cost_limit_micros,
     claim_key = excluded.claim_key, due_at = excluded.due_at`,
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
  `SELECT claimed, dispatched, ended FROM runs WHERE item_id = $1 AND started_seq < $3
   ORDER BY started_seq DESC LIMIT $2`,
);
export const RUNS_OF_ACTION = named(
  'runs_of_action',
  `SELECT claimed, dispatched, ended FROM runs WHERE item_id = $1 AND started_seq < $3 AND action_id = $4
   ORDER BY started_seq DESC LIMIT $2`,
);
/** Among the Runs of one item, by the primary key. */
export const RUN_ROW = named(
  'run_row',
  `SELECT claimed, dispatched, ended FROM runs WHERE item_id = $1 AND claimed::jsonb ->> 'runId' = $2`,
);
export const ADD_ENTRY = named(
  'add_entry',
  `INSERT INTO entries (item_id, seq, entry_id, at, author, target_kind, target_id, text, quote, attachments, delivery,
     detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);
export const MOVE_ENTRY = named(
  'move_entry',
  `UPDATE entries SET delivery = $1, detail = $2
   WHERE item_id = $3 AND entry_id = $4 AND delivery IN ('queued', 'scheduled')`,
);
const ENTRY = `item_id AS "itemId", seq, entry_id AS "entryId", at::float8 AS at, author, target_kind AS "targetKind",
  target_id AS "targetId", text, quote, attachments, delivery, detail`;
export const ENTRIES_BEHIND = named(
  'entries_behind',
  `SELECT ${ENTRY} FROM entries WHERE item_id = $1 AND seq > $2 AND seq < $3 ORDER BY seq LIMIT $4`,
);
export const ENTRIES_BEFORE = named(
  'entries_before',
  `SELECT ${ENTRY} FROM entries WHERE item_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
);
export const START_CALL = named(
  'start_call',
  `INSERT INTO calls (item_id, call_id, seq, owner_kind, owner_id, action_id, n, model, status, request_hash,
     response_hash, tries, estimate_tokens, estimate_cost_micros, charged_tokens, charged_cost_micros, input_tokens,
     output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, stop, code, error, prepared_at,
     dispatched_at, ended_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
     $24, $25, $26, $27)`,
);
export const DISPATCH_CALL = named(
  'dispatch_call',
  `UPDATE calls SET dispatched_at = $1, status = 'dispatching', tries = tries + 1, code = NULL, error = NULL,
     ended_at = NULL WHERE item_id = $2 AND call_id = $3`,
);
export const END_CALL = named(
  'end_call',
  `UPDATE calls SET status = $1, ended_at = $2, response_hash = $3, stop = $4, code = $5, error = $6,
     charged_tokens = $7, charged_cost_micros = $8, input_tokens = $9, output_tokens = $10, cache_read_tokens = $11,
     cache_write_tokens = $12, reasoning_tokens = $13 WHERE item_id = $14 AND call_id = $15`,
);
export const GIVE_UP_CALL = named(
  'give_up_call',
  `UPDATE calls SET status = $1, ended_at = $2, charged_tokens = $3, charged_cost_micros = $4
   WHERE item_id = $5 AND call_id = $6`,
);
export const CORRECT_CALL = named(
  'correct_call',
  `UPDATE calls SET charged_tokens = $1, charged_cost_micros = $2, input_tokens = $3, output_tokens = $4,
     cache_read_tokens = $5, cache_write_tokens = $6, reasoning_tokens = $7 WHERE item_id = $8 AND call_id = $9`,
);
const CALL = `item_id AS "itemId", call_id AS "callId", seq, owner_kind AS "ownerKind", owner_id AS "ownerId",
  action_id AS "actionId", n, model, status, request_hash AS "requestHash", response_hash AS "responseHash", tries,
  estimate_tokens AS "estimateTokens", estimate_cost_micros AS "estimateCostMicros", charged_tokens AS "chargedTokens",
  charged_cost_micros AS "chargedCostMicros", input_tokens AS input, output_tokens AS output,
  cache_read_tokens AS "cacheRead", cache_write_tokens AS "cacheWrite", reasoning_tokens AS reasoning, stop, code,
  error, prepared_at::float8 AS "preparedAt", dispatched_at::float8 AS "dispatchedAt", ended_at::float8 AS "endedAt"`;
export const CALL_ROW = named('call_row', `SELECT ${CALL} FROM calls WHERE item_id = $1 AND call_id = $2`);
export const CALLS = named(
  'calls',
  `SELECT ${CALL} FROM calls WHERE item_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
);
export const CALLS_OF_OWNER = named(
  'calls_of_owner',
  `SELECT ${CALL} FROM calls WHERE item_id = $1 AND owner_id = $2 AND seq < $3 ORDER BY seq DESC LIMIT $4`,
);
export const DAY = named('day', 'SELECT tokens, cost_micros AS "costMicros" FROM day_counters WHERE day = $1');
export const CHARGE_DAY = named(
  'charge_day',
  `INSERT INTO day_counters (day, tokens, cost_micros) VALUES ($1, $2, $3)
   ON CONFLICT (day) DO UPDATE SET tokens = day_counters.tokens + excluded.tokens,
     cost_micros = day_counters.cost_micros + excluded.cost_micros`,
);
export const PUT_CONTENT = named(
  'put_content',
  `INSERT INTO content (hash, bytes, body, stored_at) VALUES ($1, $2, $3, workcenter_now())
   ON CONFLICT (hash) DO UPDATE SET stored_at = greatest(content.stored_at, excluded.stored_at)`,
);
export const GET_CONTENT = named('get_content', 'SELECT body FROM content WHERE hash = $1');
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
  `SELECT (count(*) FILTER (WHERE idle = 0))::int AS total,
     (count(*) FILTER (WHERE owner = $1 AND idle = 0))::int AS "ofOwner",
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
     expires_at = excluded.expires_at, item_id = excluded.item_id, run_id = excluded.run_id, alone = excluded.alone,
     idle = 0
   WHERE excluded.epoch > leases.epoch`,
);
export const DROP_LEASE = named(
  'drop_lease',
  `UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = false, idle = 0
   WHERE resource = $1 AND epoch = $2`,
);
export const IDLE_LEASE = named('idle_lease', 'UPDATE leases SET idle = $1 WHERE resource = $2 AND epoch = $3');
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
     freed AS (UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = false, idle = 0
       WHERE run_id IS NOT NULL AND item_id = $1)
   INSERT INTO quarantined (item_id, reason, at) VALUES ($1, $2, workcenter_now())
   ON CONFLICT (item_id) DO UPDATE SET reason = excluded.reason`,
);
