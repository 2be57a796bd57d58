import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import * as sql from '../../src/store/sqlite/sql.ts';

let db: Database.Database;
beforeAll(() => {
  db = new Database(':memory:');
  migrate(db, 0);
});
afterAll(() => void db.close());

/** The plan of a statement; parameters do not matter to it. */
function planOf(statement: string): string {
  const count = statement.split('?').length - 1;
  const rows = db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
    .all(...Array.from({ length: count }, () => 1));
  return rows.map((row) => row.detail).join('\n');
}

const STATEMENTS: ReadonlyMap<string, string> = new Map(Object.entries(sql));

/** Statement, and the access that its plan must consist of. */
const PINNED: readonly (readonly [name: keyof typeof sql, access: RegExp])[] = [
  ['HEAD', /^SEARCH events USING COVERING INDEX sqlite_autoindex_events_1 \(item_id=\?\)$/],
  ['EVENTS', /^SEARCH events USING INDEX sqlite_autoindex_events_1 \(item_id=\? AND seq>\? AND seq<\?\)$/],
  ['EVENTS_PAGE', /^SEARCH events USING INDEX sqlite_autoindex_events_1 \(item_id=\? AND seq>\?\)$/],
  // The types are filtered among the events of one item, in their order.
  ['EVENTS_OF_TYPES', /^SEARCH events USING INDEX sqlite_autoindex_events_1 \(item_id=\? AND seq>\?\)\nLIST SUBQUERY/],
  ['CHANGES', /^SEARCH events USING INTEGER PRIMARY KEY \(rowid>\?\)$/],
  ['NEXT_STREAM', /^SEARCH events USING COVERING INDEX sqlite_autoindex_events_1 \(item_id>\?\)$/],
  ['SUBMISSION', /^SEARCH submissions USING PRIMARY KEY \(key=\?\)$/],
  ['DUE_ITEMS', /^SEARCH work_items USING COVERING INDEX work_items_turns \(\(claim_key,id\)>\(\?,\?\)\)$/],
  ['NEXT_DUE', /^SEARCH work_items USING COVERING INDEX work_items_next \(due_at>\?\)$/],
  [
    'LIST',
    /^SEARCH work_items USING INDEX work_items_by_lane \(lane=\? AND updated_at>\? AND \(updated_at,id\)<\(\?,\?\)\)\nSEARCH q /,
  ],
  [
    'LIST_OF_DIRECTORY',
    /^SEARCH work_items USING INDEX work_items_by_directory \(directory=\? AND lane=\? AND updated_at>\? AND \(updated_at,id\)<\(\?,\?\)\)\nSEARCH q /,
  ],
  [
    'SEARCH_END',
    /^SEARCH work_items USING COVERING INDEX work_items_by_lane \(lane=\? AND \(updated_at,id\)<\(\?,\?\)\)$/,
  ],
  [
    'SEARCH',
    /^SEARCH work_items USING INDEX work_items_by_lane \(lane=\? AND \(updated_at,id\)>\(\?,\?\) AND \(updated_at,id\)<\(\?,\?\)\)\n/,
  ],
  [
    'SEARCH_OF_DIRECTORY',
    /^SEARCH work_items USING INDEX work_items_by_directory \(directory=\? AND lane=\? AND \(updated_at,id\)>\(\?,\?\) AND \(updated_at,id\)<\(\?,\?\)\)\n/,
  ],
  ['FIND_ITEMS', /^SEARCH work_items USING (COVERING INDEX \S+|PRIMARY KEY) \(id>\? AND id<\?\)$/],
  ['RUNS', /^SEARCH runs USING PRIMARY KEY \(item_id=\? AND started_seq<\?\)$/],
  ['RUNS_OF_ACTION', /^SEARCH runs USING INDEX runs_by_action \(item_id=\? AND action_id=\? AND started_seq<\?\)$/],
  ['RUN_ROW', /^SEARCH runs USING INDEX runs_by_id \(item_id=\? AND run_id=\?\)$/],
  ['ENTRIES_BEHIND', /^SEARCH entries USING PRIMARY KEY \(item_id=\? AND seq>\? AND seq<\?\)$/],
  ['ENTRIES_BEFORE', /^SEARCH entries USING PRIMARY KEY \(item_id=\? AND seq<\?\)$/],
  ['MOVE_ENTRY', /^SEARCH entries USING INDEX entries_by_id \(item_id=\? AND entry_id=\?\)$/],
  ['CALL_ROW', /^SEARCH calls USING PRIMARY KEY \(item_id=\? AND call_id=\?\)$/],
  ['END_CALL', /^SEARCH calls USING PRIMARY KEY \(item_id=\? AND call_id=\?\)$/],
  ['CALLS', /^SEARCH calls USING INDEX calls_by_seq \(item_id=\? AND seq<\?\)$/],
  ['CALLS_OF_OWNER', /^SEARCH calls USING INDEX calls_by_owner \(item_id=\? AND owner_id=\? AND seq<\?\)$/],
  ['HISTORY', /^SEARCH work_items USING INDEX work_items_by_lane \(lane=\?\)$/],
  ['HISTORY_OF_DIRECTORY', /^SEARCH work_items USING INDEX work_items_by_directory \(directory=\? AND lane=\?\)$/],
  ['DAY', /^SEARCH day_counters USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
  ['LEASE_OF', /^SEARCH leases USING PRIMARY KEY \(resource=\?\)$/],
  ['LIVE_COUNT', /^SCAN leases USING COVERING INDEX leases_of_runs$/],
  ['EXPIRED_RUNS', /^SEARCH leases USING INDEX leases_expiry \(expires_at<\?\)$/],
  ['LIVE_RUNS', /^SCAN leases USING INDEX leases_expiry$/],
  ['HOLDS', /^SEARCH holds USING INDEX holds_by_key \(hold_key=\?\)$/],
  ['PROCESSES_OF_MACHINE', /^SEARCH processes USING INDEX processes_by_machine \(machine=\?\)$/],
  ['OLD_CONTENT', /^SEARCH content USING COVERING INDEX content_by_age \(\(stored_at,hash\)>\(\?,\?\)/],
  ['DIRECTORIES', /^SEARCH lane_counts USING PRIMARY KEY \(directory>\?\)$/],
  ['LANE_COUNTS_OF_DIRECTORY', /^SEARCH lane_counts USING PRIMARY KEY \(directory=\?\)$/],
];

describe('every list, turn and sweep has an index, and sorts nothing', () => {
  test.each(PINNED)('%s', (name, access) => {
    const plan = planOf(STATEMENTS.get(name) ?? name);
    expect(plan).toMatch(access);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('whoever waits for a directory is found by its key', () => {
    expect(planOf(sql.HOLD_WAITER)).toMatch(/SEARCH w USING .*\(hold_key=\?\)\nSEARCH i USING PRIMARY KEY \(id=\?\)/);
  });
});
