/**
 * Every statement of the SQLite store, one constant each. All are prepared once per connection; reads that could
 * take a wrong turn name their index, so that a plan can change only with this file.
 */

const ITEM = `id, version, created_at AS createdAt, updated_at AS updatedAt, title, directory, lifecycle,
  hold_code AS holdCode, lane, proven, total, open_requests AS openRequests, running, wall_ms AS wallMs, requests,
  tokens, cost_micros AS costMicros, unpriced, metered, sentence, marks, cost_limit_micros AS costLimitMicros,
  claim_key AS claimKey, due_at AS dueAt`;
const LEASE = 'item_id AS itemId, run_id AS runId, epoch, owner, expires_at AS expiresAt';
const RUN = `item_id AS itemId, run_id AS runId, action_id AS actionId, generation, ordinal, epoch, owner, status,
  alone, started_seq AS startedSeq, started_at AS startedAt, dispatched_at AS dispatchedAt, ended_at AS endedAt,
  ended_seq AS endedSeq, base, commit_id AS commitId, code, summary, error, attempt_charged AS attemptCharged,
  usage, enforcement, agent, receipts`;
const ENTRY = `item_id AS itemId, seq, entry_id AS entryId, at, author, target_kind AS targetKind,
  target_id AS targetId, text, quote, attachments, delivery, detail`;
const CALL = `item_id AS itemId, call_id AS callId, seq, owner_kind AS ownerKind, owner_id AS ownerId,
  action_id AS actionId, n, model, status, request_hash AS requestHash, response_hash AS responseHash, tries,
  estimate_tokens AS estimateTokens, estimate_cost_micros AS estimateCostMicros, charged_tokens AS chargedTokens,
  charged_cost_micros AS chargedCostMicros, input_tokens AS input, output_tokens AS output,
  cache_read_tokens AS cacheRead, cache_write_tokens AS cacheWrite, reasoning_tokens AS reasoning, stop, code, error,
  prepared_at AS preparedAt, dispatched_at AS dispatchedAt, ended_at AS endedAt`;

export const BEGIN_WRITE = 'BEGIN IMMEDIATE';
export const BEGIN_READ = 'BEGIN';
export const COMMIT = 'COMMIT';
export const ROLLBACK = 'ROLLBACK';

// Streams

export const HEAD = 'SELECT max(seq) AS version FROM events WHERE item_id = ?';
export const EVENTS = `SELECT seq, at, type, version, data FROM events
  WHERE item_id = ? AND seq > ? AND seq <= ? ORDER BY seq`;
export const EVENTS_PAGE = `SELECT seq, at, type, version, data FROM events
  WHERE item_id = ? AND seq > ? ORDER BY seq LIMIT ?`;
export const EVENTS_OF_TYPES = `SELECT seq, at, type, version, data FROM events
  WHERE item_id = ? AND seq > ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`;
export const ADD_EVENT = 'INSERT INTO events (item_id, seq, type, version, at, data) VALUES (?, ?, ?, ?, ?, ?)';
export const SNAPSHOT = 'SELECT version, format, data FROM snapshots WHERE item_id = ?';
export const PUT_SNAPSHOT = `INSERT INTO snapshots (item_id, version, format, data) VALUES (?, ?, ?, ?)
  ON CONFLICT (item_id) DO UPDATE SET version = excluded.version, format = excluded.format, data = excluded.data`;
export const DROP_SNAPSHOT = 'DELETE FROM snapshots WHERE item_id = ?';
export const SUBMISSION = `SELECT key, command_hash AS commandHash, item_id AS itemId, first_seq AS firstSeq,
  last_seq AS lastSeq, at FROM submissions WHERE key = ?`;
export const ADD_SUBMISSION = `INSERT INTO submissions (key, command_hash, item_id, first_seq, last_seq, at)
  VALUES (?, ?, ?, ?, ?, ?)`;
export const LAST_POSITION = 'SELECT coalesce(max(position), 0) AS position FROM events';
export const CHANGES =
  'SELECT position, item_id AS itemId, seq FROM events WHERE position > ? ORDER BY position LIMIT ?';
export const NEXT_STREAM = 'SELECT item_id AS itemId FROM events WHERE item_id > ? ORDER BY item_id LIMIT 1';

// Projections

export const PUT_ITEM = `INSERT INTO work_items (id, version, created_at, updated_at, title, directory, lifecycle,
    hold_code, lane, proven, total, open_requests, running, wall_ms, requests, tokens, cost_micros, unpriced, metered,
    sentence, marks, cost_limit_micros, claim_key, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
    updated_at = excluded.updated_at, title = excluded.title, directory = excluded.directory,
    lifecycle = excluded.lifecycle, hold_code = excluded.hold_code, lane = excluded.lane, proven = excluded.proven,
    total = excluded.total, open_requests = excluded.open_requests, running = excluded.running,
    wall_ms = excluded.wall_ms, requests = excluded.requests, tokens = excluded.tokens,
    cost_micros = excluded.cost_micros, unpriced = excluded.unpriced, metered = excluded.metered,
    sentence = excluded.sentence, marks = excluded.marks, cost_limit_micros = excluded.cost_limit_micros,
    claim_key = excluded.claim_key, due_at = excluded.due_at`;
export const ITEM_ROW = `SELECT ${ITEM} FROM work_items WHERE id = ?`;
export const NEXT_ITEM = 'SELECT id FROM work_items WHERE id > ? ORDER BY id LIMIT 1';
export const DROP_ITEM = 'DELETE FROM work_items WHERE id = ?';
export const PUT_TEXT = `INSERT INTO item_texts (item_id, title, goal, origin_client, origin_session)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (item_id) DO UPDATE SET title = excluded.title, goal = excluded.goal,
    origin_client = excluded.origin_client, origin_session = excluded.origin_session`;
export const TEXT_ROW = `SELECT item_id AS itemId, title, goal, origin_client AS originClient,
    origin_session AS originSession FROM item_texts WHERE item_id = ?`;
export const ADD_LANE_COUNT = `INSERT INTO lane_counts (directory, lane, n) VALUES (?, ?, ?)
  ON CONFLICT (directory, lane) DO UPDATE SET n = n + excluded.n`;
export const LANE_COUNTS = 'SELECT lane, sum(n) AS n FROM lane_counts GROUP BY lane';
export const LANE_COUNTS_OF_DIRECTORY = 'SELECT lane, n FROM lane_counts WHERE directory = ?';
export const DIRECTORIES = `SELECT directory, lane, n FROM lane_counts
  WHERE directory > ? AND n > 0 ORDER BY directory, lane LIMIT ?`;
export const RECOUNT_LANES = `SELECT directory, lane, count(*) AS n FROM work_items GROUP BY directory, lane
  ORDER BY directory, lane`;
export const STORED_LANE_COUNTS = `SELECT directory, lane, n FROM lane_counts WHERE n <> 0
  ORDER BY directory, lane`;
export const CLEAR_LANE_COUNTS = 'DELETE FROM lane_counts';
export const START_RUN = `INSERT INTO runs (item_id, started_seq, run_id, action_id, generation, ordinal, epoch,
    owner, status, alone, started_at, dispatched_at, ended_at, ended_seq, base, commit_id, code, summary, error,
    attempt_charged, usage, enforcement, agent, receipts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
export const DISPATCH_RUN = `UPDATE runs SET dispatched_at = ?, base = ?, enforcement = ?, agent = ?
  WHERE item_id = ? AND started_seq = ?`;
export const END_RUN = `UPDATE runs SET status = ?, ended_at = ?, ended_seq = ?, commit_id = ?, code = ?,
    summary = ?, error = ?, attempt_charged = ?, usage = ?, receipts = ? WHERE item_id = ? AND started_seq = ?`;
export const DROP_RUNS = 'DELETE FROM runs WHERE item_id = ?';
export const RUNS = `SELECT ${RUN} FROM runs WHERE item_id = ? AND started_seq < ? ORDER BY started_seq DESC LIMIT ?`;
export const RUNS_OF_ACTION = `SELECT ${RUN} FROM runs INDEXED BY runs_by_action
  WHERE item_id = ? AND action_id = ? AND started_seq < ? ORDER BY started_seq DESC LIMIT ?`;
export const RUN_ROW = `SELECT ${RUN} FROM runs INDEXED BY runs_by_id WHERE item_id = ? AND run_id = ?`;

// Conversation and calls

export const ADD_ENTRY = `INSERT INTO entries (item_id, seq, entry_id, at, author, target_kind, target_id, text, quote,
    attachments, delivery, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** What has reached an end stays there. */
export const MOVE_ENTRY = `UPDATE entries INDEXED BY entries_by_id SET delivery = ?, detail = ?
  WHERE item_id = ? AND entry_id = ? AND delivery IN ('queued', 'scheduled')`;
export const DROP_ENTRIES = 'DELETE FROM entries WHERE item_id = ?';
export const ENTRIES_BEHIND = `SELECT ${ENTRY} FROM entries WHERE item_id = ? AND seq > ? AND seq < ?
  ORDER BY seq LIMIT ?`;
export const ENTRIES_BEFORE = `SELECT ${ENTRY} FROM entries WHERE item_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
export const START_CALL = `INSERT INTO calls (item_id, call_id, seq, owner_kind, owner_id, action_id, n, model, status,
    request_hash, response_hash, tries, estimate_tokens, estimate_cost_micros, charged_tokens, charged_cost_micros,
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, stop, code, error,
    prepared_at, dispatched_at, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
export const DISPATCH_CALL = `UPDATE calls SET dispatched_at = ?, status = 'dispatching', tries = tries + 1,
    code = NULL, error = NULL, ended_at = NULL WHERE item_id = ? AND call_id = ?`;
const CHARGED = `charged_tokens = ?, charged_cost_micros = ?, input_tokens = ?, output_tokens = ?,
    cache_read_tokens = ?, cache_write_tokens = ?, reasoning_tokens = ?`;
export const END_CALL = `UPDATE calls SET status = ?, ended_at = ?, response_hash = ?, stop = ?, code = ?, error = ?,
    ${CHARGED} WHERE item_id = ? AND call_id = ?`;
export const GIVE_UP_CALL = `UPDATE calls SET status = ?, ended_at = ?, charged_tokens = ?, charged_cost_micros = ?
  WHERE item_id = ? AND call_id = ?`;
export const CORRECT_CALL = `UPDATE calls SET ${CHARGED} WHERE item_id = ? AND call_id = ?`;
export const DROP_CALLS = 'DELETE FROM calls WHERE item_id = ?';
export const CALL_ROW = `SELECT ${CALL} FROM calls WHERE item_id = ? AND call_id = ?`;
export const CALLS = `SELECT ${CALL} FROM calls INDEXED BY calls_by_seq
  WHERE item_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
export const CALLS_OF_OWNER = `SELECT ${CALL} FROM calls INDEXED BY calls_by_owner
  WHERE item_id = ? AND owner_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;

// Lists and turns

export const DUE_ITEMS = `SELECT id AS itemId, claim_key AS claimKey FROM work_items INDEXED BY work_items_turns
  WHERE due_at IS NOT NULL AND due_at <= ? AND (claim_key, id) > (?, ?) ORDER BY claim_key, id LIMIT ?`;
export const NEXT_DUE = `SELECT min(due_at) AS at FROM work_items INDEXED BY work_items_next
  WHERE due_at IS NOT NULL AND due_at > ?`;
export const LIST = `SELECT ${ITEM}, q.reason AS quarantined
  FROM work_items INDEXED BY work_items_by_lane LEFT JOIN quarantined q ON q.item_id = id
  WHERE lane = ? AND (updated_at, id) < (?, ?) AND updated_at >= ? ORDER BY updated_at DESC, id DESC LIMIT ?`;
export const LIST_OF_DIRECTORY = `SELECT ${ITEM}, q.reason AS quarantined
  FROM work_items INDEXED BY work_items_by_directory LEFT JOIN quarantined q ON q.item_id = id
  WHERE directory = ? AND lane = ? AND (updated_at, id) < (?, ?) AND updated_at >= ?
  ORDER BY updated_at DESC, id DESC LIMIT ?`;
export const HISTORY = `SELECT ${ITEM}, NULL AS quarantined FROM work_items INDEXED BY work_items_by_lane
  WHERE lane = 'done' AND lifecycle = 'done' ORDER BY updated_at DESC, id DESC LIMIT ?`;
export const HISTORY_OF_DIRECTORY = `SELECT ${ITEM}, NULL AS quarantined
  FROM work_items INDEXED BY work_items_by_directory
  WHERE directory = ? AND lane = 'done' AND lifecycle = 'done' ORDER BY updated_at DESC, id DESC LIMIT ?`;
/** Where a step of a search ends: so many items further on, by the index alone. */
export const SEARCH_END = `SELECT updated_at AS updatedAt, id FROM work_items INDEXED BY work_items_by_lane
  WHERE lane = ? AND (updated_at, id) < (?, ?) ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ?`;
export const SEARCH_END_OF_DIRECTORY = `SELECT updated_at AS updatedAt, id
  FROM work_items INDEXED BY work_items_by_directory
  WHERE directory = ? AND lane = ? AND (updated_at, id) < (?, ?)
  ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ?`;
const TEXT_MATCHES = `EXISTS (SELECT 1 FROM item_texts t
    WHERE t.item_id = id AND (t.title LIKE ? ESCAPE '\\' OR t.goal LIKE ? ESCAPE '\\')
      AND ? IN ('', t.origin_client) AND ? IN ('', t.origin_session))`;
export const SEARCH = `SELECT ${ITEM}, q.reason AS quarantined
  FROM work_items INDEXED BY work_items_by_lane LEFT JOIN quarantined q ON q.item_id = id
  WHERE lane = ? AND (updated_at, id) < (?, ?) AND (updated_at, id) >= (?, ?) AND ${TEXT_MATCHES}
  ORDER BY updated_at DESC, id DESC LIMIT ?`;
export const SEARCH_OF_DIRECTORY = `SELECT ${ITEM}, q.reason AS quarantined
  FROM work_items INDEXED BY work_items_by_directory LEFT JOIN quarantined q ON q.item_id = id
  WHERE directory = ? AND lane = ? AND (updated_at, id) < (?, ?) AND (updated_at, id) >= (?, ?) AND ${TEXT_MATCHES}
  ORDER BY updated_at DESC, id DESC LIMIT ?`;
export const FIND_ITEMS = 'SELECT id FROM work_items WHERE id >= ? AND id < ? ORDER BY id LIMIT ?';

// Leases and holds

export const LEASE_OF = `SELECT resource, owner, epoch, expires_at AS expiresAt FROM leases
  WHERE resource = ? AND owner IS NOT NULL`;
/** An idle Run holds no slot; one that must be alone stays so. */
export const LIVE_COUNT = `SELECT coalesce(sum(idle = 0), 0) AS total,
    coalesce(sum(owner = ? AND idle = 0), 0) AS ofOwner,
    coalesce(max(owner = ? AND alone = 1), 0) AS ownerAlone
  FROM leases INDEXED BY leases_of_runs WHERE run_id IS NOT NULL`;
/** Epochs only grow: a row that is not older than the lease being put stays, and the change count tells. */
export const PUT_LEASE = `INSERT INTO leases (resource, epoch, owner, expires_at, item_id, run_id, alone)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (resource) DO UPDATE SET epoch = excluded.epoch, owner = excluded.owner,
    expires_at = excluded.expires_at, item_id = excluded.item_id, run_id = excluded.run_id, alone = excluded.alone,
    idle = 0
  WHERE excluded.epoch > leases.epoch`;
/** The row stays behind without an owner and keeps the epoch. */
export const DROP_LEASE = `UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = 0, idle = 0
  WHERE resource = ? AND epoch = ?`;
export const IDLE_LEASE = 'UPDATE leases SET idle = ? WHERE resource = ? AND epoch = ?';
export const ACQUIRE_LEASE = `INSERT INTO leases (resource, epoch, owner, expires_at, item_id, run_id, alone)
  VALUES (?, 1, ?, ?, NULL, NULL, 0)
  ON CONFLICT (resource) DO UPDATE SET epoch = leases.epoch + 1, owner = excluded.owner,
    expires_at = excluded.expires_at
  WHERE leases.run_id IS NULL AND (leases.owner IS NULL OR leases.expires_at <= ?)
  RETURNING epoch`;
export const RENEW_LEASE = 'UPDATE leases SET expires_at = ? WHERE resource = ? AND owner = ? AND epoch = ?';
export const RELEASE_LEASE = `UPDATE leases SET owner = NULL
  WHERE resource = ? AND owner = ? AND epoch = ? AND run_id IS NULL`;
/** Of an owner that is gone; what it held of Runs is ended by a command. */
export const RELEASE_OWNER = 'UPDATE leases SET owner = NULL WHERE owner = ? AND run_id IS NULL';
export const EXPIRED_RUNS = `SELECT ${LEASE} FROM leases INDEXED BY leases_expiry
  WHERE run_id IS NOT NULL AND expires_at <= ? ORDER BY expires_at, resource LIMIT ?`;
export const LIVE_RUNS = `SELECT ${LEASE} FROM leases INDEXED BY leases_expiry
  WHERE run_id IS NOT NULL ORDER BY expires_at, resource`;
export const RELEASE_RUNS_OF_ITEM = `UPDATE leases SET owner = NULL, run_id = NULL, item_id = NULL, alone = 0, idle = 0
  WHERE run_id IS NOT NULL AND item_id = ?`;
export const RUN_LEASES_OF_ITEM = `SELECT resource, idle, ${LEASE} FROM leases INDEXED BY leases_expiry
  WHERE run_id IS NOT NULL AND item_id = ? ORDER BY resource`;
export const FORCE_LEASE = `INSERT INTO leases (resource, epoch, owner, expires_at, item_id, run_id, alone, idle)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (resource) DO UPDATE SET epoch = max(leases.epoch, excluded.epoch), owner = excluded.owner,
    expires_at = excluded.expires_at, item_id = excluded.item_id, run_id = excluded.run_id, alone = excluded.alone,
    idle = excluded.idle`;
export const HOLDS = `SELECT hold_key AS key, mode, item_id AS itemId, run_id AS runId
  FROM holds INDEXED BY holds_by_key WHERE hold_key = ? ORDER BY run_id`;
export const ALL_HOLDS = 'SELECT hold_key AS key, mode, item_id AS itemId, run_id AS runId FROM holds ORDER BY run_id';
/** A waiter that can make no use of its turn, because its item owes nothing now, stands in nobody's way. */
export const HOLD_WAITER = `SELECT w.item_id AS itemId FROM hold_waiters w JOIN work_items i ON i.id = w.item_id
  WHERE w.hold_key = ? AND i.due_at IS NOT NULL ORDER BY w.place LIMIT 1`;
export const PUT_HOLD = 'INSERT INTO holds (run_id, hold_key, mode, item_id) VALUES (?, ?, ?, ?)';
export const DROP_HOLD = 'DELETE FROM holds WHERE run_id = ?';
export const WAIT_FOR_HOLD = 'INSERT OR IGNORE INTO hold_waiters (hold_key, item_id) VALUES (?, ?)';
export const UNWAIT_HOLD = 'DELETE FROM hold_waiters WHERE hold_key = ? AND item_id = ?';

// Quarantine

export const QUARANTINE = `INSERT INTO quarantined (item_id, reason, at) VALUES (?, ?, ?)
  ON CONFLICT (item_id) DO UPDATE SET reason = excluded.reason`;
export const QUARANTINE_OF = 'SELECT reason FROM quarantined WHERE item_id = ?';
export const RELEASE_QUARANTINE = 'DELETE FROM quarantined WHERE item_id = ?';
export const PARK_ITEM = "UPDATE work_items SET due_at = NULL, lane = 'needs_you' WHERE id = ?";

// Workers and processes

export const HEARTBEAT = `INSERT INTO workers (owner, machine, pid, start_time, boot_id, version, first_seen_at,
    heartbeat_at, stopped_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)
  ON CONFLICT (owner) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, stopped_at = NULL`;
export const WORKERS = `SELECT owner, machine, pid, start_time AS startTime, boot_id AS bootId, version,
    first_seen_at AS firstSeenAt, heartbeat_at AS heartbeatAt, stopped_at AS stoppedAt
  FROM workers ORDER BY owner`;
export const STOP_WORKER = 'UPDATE workers SET stopped_at = ? WHERE owner = ?';
export const PUT_PROCESS = `INSERT INTO processes (run_id, item_id, owner, machine, pid, start_time, recorded_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id) DO UPDATE SET item_id = excluded.item_id, owner = excluded.owner,
    machine = excluded.machine, pid = excluded.pid, start_time = excluded.start_time,
    recorded_at = excluded.recorded_at`;
export const DROP_PROCESS = 'DELETE FROM processes WHERE run_id = ?';
const PROCESS = `run_id AS runId, item_id AS itemId, owner, machine, pid, start_time AS startTime,
  recorded_at AS recordedAt`;
export const PROCESSES = `SELECT ${PROCESS} FROM processes ORDER BY run_id`;
export const PROCESSES_OF_MACHINE = `SELECT ${PROCESS} FROM processes INDEXED BY processes_by_machine
  WHERE machine = ? ORDER BY run_id`;

// Days, content and settings

export const DAY = 'SELECT tokens, cost_micros AS costMicros FROM day_counters WHERE day = ?';
export const CHARGE_DAY = `INSERT INTO day_counters (day, tokens, cost_micros) VALUES (?, ?, ?)
  ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros`;

export const PUT_CONTENT = `INSERT INTO content (hash, bytes, body, stored_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (hash) DO UPDATE SET stored_at = max(stored_at, excluded.stored_at)`;
export const GET_CONTENT = 'SELECT body FROM content WHERE hash = ?';
export const OLD_CONTENT = `SELECT hash, stored_at AS storedAt FROM content INDEXED BY content_by_age
  WHERE stored_at < ? AND (stored_at, hash) > (?, ?) ORDER BY stored_at, hash LIMIT ?`;
export const DROP_CONTENT = 'DELETE FROM content WHERE hash = ? AND stored_at < ?';
export const SETTINGS = 'SELECT version, value FROM settings WHERE id = 1';
export const ADD_SETTINGS = 'INSERT OR IGNORE INTO settings (id, version, value) VALUES (1, 1, ?)';
export const UPDATE_SETTINGS = 'UPDATE settings SET version = version + 1, value = ? WHERE id = 1 AND version = ?';

export const ADD_RECORD = 'INSERT OR IGNORE INTO side_records (kind, id, version, at, value) VALUES (?, ?, 1, ?, ?)';
export const UPDATE_RECORD =
  'UPDATE side_records SET version = version + 1, at = ?, value = ? WHERE kind = ? AND id = ? AND version = ?';
export const GET_RECORD = 'SELECT kind, id, version, at, value FROM side_records WHERE kind = ? AND id = ?';
export const RECORDS = `SELECT kind, id, version, at, value FROM side_records
  WHERE kind = ? AND at <= ? AND (at, id) > (?, ?) ORDER BY at, id LIMIT ?`;
export const RECORDS_NEWEST = `SELECT kind, id, version, at, value FROM side_records
  WHERE kind = ? AND at <= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`;
export const DROP_RECORD = 'DELETE FROM side_records WHERE kind = ? AND id = ? AND version = ifnull(?, version)';

export const QUICK_CHECK = 'PRAGMA quick_check(20)';
