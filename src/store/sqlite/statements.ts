import type { Database } from 'better-sqlite3';
import type { HoldRow, LeaseRow } from '../../core/index.ts';
import type { ListPosition } from '../list-cursor.ts';
import type { EventRow, ItemRow, ItemTextRow, SnapshotRow, SubmissionRow } from '../rows.ts';
import type { ProcessRow, RunLease, SideRecord, WorkerRow } from '../store.ts';
import type { CallRow } from '../talk-rows.ts';
import type { StoredEntry } from '../talk-values.ts';
import * as sql from './sql.ts';

/** A prepared statement as this store uses one: bound by position. */
export interface Prepared<Row = unknown> {
  readonly run: (...values: readonly Bind[]) => { readonly changes: number };
  readonly get: (...values: readonly Bind[]) => Row | undefined;
  readonly all: (...values: readonly Bind[]) => Row[];
}

export type Bind = string | number | null | Uint8Array;

/** A record as its row holds it. */
export interface StoredRecord extends Omit<SideRecord, 'value'> {
  readonly value: string;
}

/** A Run as its columns hold it. */
export interface StoredRun {
  readonly itemId: string;
  readonly runId: string;
  readonly actionId: string;
  readonly generation: number;
  readonly ordinal: number;
  readonly epoch: number;
  readonly owner: string;
  readonly status: string;
  readonly alone: number;
  readonly startedSeq: number;
  readonly startedAt: number;
  readonly dispatchedAt: number | null;
  readonly endedAt: number | null;
  readonly endedSeq: number | null;
  readonly base: string | null;
  readonly commitId: string | null;
  readonly code: string | null;
  readonly summary: string;
  readonly error: string | null;
  readonly attemptCharged: number;
  readonly usage: string | null;
  readonly enforcement: string | null;
  readonly agent: string | null;
  readonly receipts: string;
}

/**
 * Called around every statement of this connection, with what is bound to it. For tests and benchmarks: what it
 * throws is treated as if the driver had thrown it, before the statement ran or after.
 */
export type StatementHook = (phase: 'before' | 'after', statement: string, values: readonly Bind[]) => void;

type Method<A extends readonly unknown[], R> = (...values: A) => R;

const around =
  <A extends readonly Bind[], R>(call: Method<A, R>, text: string, hook: StatementHook): Method<A, R> =>
  (...values) => {
    hook('before', text, values);
    const result = call(...values);
    hook('after', text, values);
    return result;
  };

function prepare<Row = unknown>(db: Database, text: string, hook?: StatementHook): Prepared<Row> {
  const statement = db.prepare<Bind[], Row>(text);
  const plain: Prepared<Row> = {
    run: statement.run.bind(statement),
    get: statement.get.bind(statement),
    all: statement.all.bind(statement),
  };
  if (!hook) return plain;
  return { run: around(plain.run, text, hook), get: around(plain.get, text, hook), all: around(plain.all, text, hook) };
}

type Listed = ItemRow & { readonly quarantined: string | null };
interface LaneCount {
  readonly directory: string;
  readonly lane: string;
  readonly n: number;
}

type On = <Row = unknown>(text: string) => Prepared<Row>;

const streamsOf = (on: On) => ({
  head: on<{ version: number | null }>(sql.HEAD),
  events: on<EventRow>(sql.EVENTS),
  eventsPage: on<EventRow>(sql.EVENTS_PAGE),
  eventsOfTypes: on<EventRow>(sql.EVENTS_OF_TYPES),
  addEvent: on(sql.ADD_EVENT),
  snapshot: on<SnapshotRow>(sql.SNAPSHOT),
  putSnapshot: on(sql.PUT_SNAPSHOT),
  dropSnapshot: on(sql.DROP_SNAPSHOT),
  submission: on<SubmissionRow>(sql.SUBMISSION),
  addSubmission: on(sql.ADD_SUBMISSION),
  lastPosition: on<{ position: number }>(sql.LAST_POSITION),
  changes: on<{ position: number; itemId: string; seq: number }>(sql.CHANGES),
  nextStream: on<{ itemId: string }>(sql.NEXT_STREAM),
});

const projectionsOf = (on: On) => ({
  putItem: on(sql.PUT_ITEM),
  itemRow: on<ItemRow>(sql.ITEM_ROW),
  nextItem: on<{ id: string }>(sql.NEXT_ITEM),
  dropItem: on(sql.DROP_ITEM),
  putText: on(sql.PUT_TEXT),
  textRow: on<ItemTextRow>(sql.TEXT_ROW),
  addLaneCount: on(sql.ADD_LANE_COUNT),
  laneCounts: on<LaneCount>(sql.LANE_COUNTS),
  laneCountsOfDirectory: on<LaneCount>(sql.LANE_COUNTS_OF_DIRECTORY),
  directories: on<LaneCount>(sql.DIRECTORIES),
  recountLanes: on<LaneCount>(sql.RECOUNT_LANES),
  storedLaneCounts: on<LaneCount>(sql.STORED_LANE_COUNTS),
  clearLaneCounts: on(sql.CLEAR_LANE_COUNTS),
  startRun: on(sql.START_RUN),
  dispatchRun: on(sql.DISPATCH_RUN),
  endRun: on(sql.END_RUN),
  dropRuns: on(sql.DROP_RUNS),
  runs: on<StoredRun>(sql.RUNS),
  runsOfAction: on<StoredRun>(sql.RUNS_OF_ACTION),
  runRow: on<StoredRun>(sql.RUN_ROW),
});

const talkOf = (on: On) => ({
  addEntry: on(sql.ADD_ENTRY),
  moveEntry: on(sql.MOVE_ENTRY),
  dropEntries: on(sql.DROP_ENTRIES),
  entriesBehind: on<StoredEntry>(sql.ENTRIES_BEHIND),
  entriesBefore: on<StoredEntry>(sql.ENTRIES_BEFORE),
  startCall: on(sql.START_CALL),
  dispatchCall: on(sql.DISPATCH_CALL),
  endCall: on(sql.END_CALL),
  giveUpCall: on(sql.GIVE_UP_CALL),
  correctCall: on(sql.CORRECT_CALL),
  dropCalls: on(sql.DROP_CALLS),
  callRow: on<CallRow>(sql.CALL_ROW),
  calls: on<CallRow>(sql.CALLS),
  callsOfOwner: on<CallRow>(sql.CALLS_OF_OWNER),
});

const listsOf = (on: On) => ({
  dueItems: on<{ itemId: string; claimKey: number }>(sql.DUE_ITEMS),
  nextDue: on<{ at: number | null }>(sql.NEXT_DUE),
  list: on<Listed>(sql.LIST),
  listOfDirectory: on<Listed>(sql.LIST_OF_DIRECTORY),
  history: on<Listed>(sql.HISTORY),
  historyOfDirectory: on<Listed>(sql.HISTORY_OF_DIRECTORY),
  searchEnd: on<ListPosition>(sql.SEARCH_END),
  searchEndOfDirectory: on<ListPosition>(sql.SEARCH_END_OF_DIRECTORY),
  search: on<Listed>(sql.SEARCH),
  searchOfDirectory: on<Listed>(sql.SEARCH_OF_DIRECTORY),
  findItems: on<{ id: string }>(sql.FIND_ITEMS),
});

const leasesOf = (on: On) => ({
  leaseOf: on<LeaseRow>(sql.LEASE_OF),
  liveCount: on<{ total: number; ofOwner: number; ownerAlone: number }>(sql.LIVE_COUNT),
  putLease: on(sql.PUT_LEASE),
  dropLease: on(sql.DROP_LEASE),
  idleLease: on(sql.IDLE_LEASE),
  acquireLease: on<{ epoch: number }>(sql.ACQUIRE_LEASE),
  renewLease: on(sql.RENEW_LEASE),
  releaseLease: on(sql.RELEASE_LEASE),
  releaseOwner: on(sql.RELEASE_OWNER),
  expiredRuns: on<RunLease>(sql.EXPIRED_RUNS),
  liveRuns: on<RunLease>(sql.LIVE_RUNS),
  releaseRunsOfItem: on(sql.RELEASE_RUNS_OF_ITEM),
  runLeasesOfItem: on<RunLease & { resource: string; idle: number }>(sql.RUN_LEASES_OF_ITEM),
  forceLease: on(sql.FORCE_LEASE),
  holds: on<HoldRow>(sql.HOLDS),
  allHolds: on<HoldRow>(sql.ALL_HOLDS),
  holdWaiter: on<{ itemId: string }>(sql.HOLD_WAITER),
  putHold: on(sql.PUT_HOLD),
  dropHold: on(sql.DROP_HOLD),
  waitForHold: on(sql.WAIT_FOR_HOLD),
  unwaitHold: on(sql.UNWAIT_HOLD),
});

const quarantineOf = (on: On) => ({
  quarantine: on(sql.QUARANTINE),
  quarantineOf: on<{ reason: string }>(sql.QUARANTINE_OF),
  releaseQuarantine: on(sql.RELEASE_QUARANTINE),
  parkItem: on(sql.PARK_ITEM),
});

const processesOf = (on: On) => ({
  heartbeat: on(sql.HEARTBEAT),
  workers: on<WorkerRow>(sql.WORKERS),
  stopWorker: on(sql.STOP_WORKER),
  putProcess: on(sql.PUT_PROCESS),
  dropProcess: on(sql.DROP_PROCESS),
  processes: on<ProcessRow>(sql.PROCESSES),
  processesOfMachine: on<ProcessRow>(sql.PROCESSES_OF_MACHINE),
});

const contentOf = (on: On) => ({
  day: on<{ tokens: number; costMicros: number }>(sql.DAY),
  chargeDay: on(sql.CHARGE_DAY),
  putContent: on(sql.PUT_CONTENT),
  getContent: on<{ body: Uint8Array }>(sql.GET_CONTENT),
  oldContent: on<{ hash: string; storedAt: number }>(sql.OLD_CONTENT),
  dropContent: on(sql.DROP_CONTENT),
  settings: on<{ version: number; value: string }>(sql.SETTINGS),
  addSettings: on(sql.ADD_SETTINGS),
  updateSettings: on(sql.UPDATE_SETTINGS),
  addRecord: on(sql.ADD_RECORD),
  updateRecord: on(sql.UPDATE_RECORD),
  getRecord: on<StoredRecord>(sql.GET_RECORD),
  records: on<StoredRecord>(sql.RECORDS),
  newestRecords: on<StoredRecord>(sql.RECORDS_NEWEST),
  dropRecord: on(sql.DROP_RECORD),
  quickCheck: on<{ quick_check: string }>(sql.QUICK_CHECK),
});

/** All statements of a connection, prepared once. The roll-back is nobody's to disturb: it is the way out of faults. */
export function prepareAll(db: Database, hook?: StatementHook) {
  const on: On = (text) => prepare(db, text, hook);
  return {
    beginWrite: on(sql.BEGIN_WRITE),
    beginRead: on(sql.BEGIN_READ),
    commit: on(sql.COMMIT),
    rollback: prepare(db, sql.ROLLBACK),
    ...streamsOf(on),
    ...projectionsOf(on),
    ...talkOf(on),
    ...listsOf(on),
    ...leasesOf(on),
    ...quarantineOf(on),
    ...processesOf(on),
    ...contentOf(on),
  };
}

export type Statements = ReturnType<typeof prepareAll>;
