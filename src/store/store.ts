import type { Command, HoldCode, ItemState, Lane, Lifecycle, Rejection, StoredEvent, Usage } from '../core/index.ts';
import type { CommitListener } from './commit-feed.ts';
import type { Executed } from './door.ts';
import type { ProofMark } from './proof-marks.ts';
import type { RunRow } from './rows.ts';
import type { CallRow, EntryRow } from './talk-rows.ts';

/** An item that owes a step now. Items take turns by `claimKey`, then id. */
export interface DueItem {
  readonly itemId: string;
  readonly claimKey: number;
}

/** One card of a list. `quarantined` carries the reason why the item cannot be read. */
export interface ItemSummary {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly directory: string;
  readonly lifecycle: Lifecycle;
  readonly holdCode?: HoldCode;
  readonly lane: Lane;
  readonly proven: number;
  readonly total: number;
  /** How each criterion stands, in the order of the contract; left out where it is not known before the item moves. */
  readonly marks?: readonly ProofMark[];
  /** What it may cost, in millionths of a US dollar; null: no limit. */
  readonly costLimitMicros: number | null;
  readonly openRequests: number;
  readonly running: number;
  readonly usage: Usage;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly statusSentence: string;
  readonly quarantined?: string;
}

export interface ListQuery {
  readonly lane?: Lane;
  /** Looked for in title and goal, ignoring the case of ASCII letters. */
  readonly search?: string;
  readonly directory?: string;
  /** Created by this tool, and in this session of it (D37). */
  readonly originClient?: string;
  readonly originSession?: string;
  /** Only what changed at or after; milliseconds. What needs a person is shown however long ago it changed. */
  readonly updatedFrom?: number;
  /** 1..500. */
  readonly limit: number;
  /** From the page before; anything else is a `RangeError`. */
  readonly cursor?: string;
}

/** A directory with items in it. */
export interface DirectoryFacet {
  readonly directory: string;
  readonly counts: Readonly<Record<Lane, number>>;
}

export interface ListPage {
  readonly items: readonly ItemSummary[];
  readonly nextCursor?: string;
  /** Items per lane in the store, or in `directory`; `search` does not narrow them. */
  readonly counts: Readonly<Record<Lane, number>>;
}

/** The lease of a live Run. `expiresAt` in epoch milliseconds of the store's clock. */
export interface RunLease {
  readonly itemId: string;
  readonly runId: string;
  readonly epoch: number;
  readonly owner: string;
  readonly expiresAt: number;
}

/** One engine process. The owner id is fresh per process start, never a host name (D8). */
export interface WorkerIdentity {
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  /** As the operating system reports it; with the pid it names a process for ever. */
  readonly startTime: string;
  readonly bootId: string;
  readonly version: string;
}

export interface WorkerRow extends WorkerIdentity {
  readonly firstSeenAt: number;
  readonly heartbeatAt: number;
  /** Set by an orderly stop: such a death raises no suspicion (D12). */
  readonly stoppedAt: number | null;
}

/** A child process, recorded before its command may run. */
export interface ProcessIdentity {
  readonly runId: string;
  readonly itemId: string;
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  readonly startTime: string;
}

export interface ProcessRow extends ProcessIdentity {
  readonly recordedAt: number;
}

export interface ContentRef {
  /** Lower-case hexadecimal SHA-256 of the bytes. */
  readonly hash: string;
  readonly bytes: number;
}

export interface Settings {
  /** 0 until something was written. */
  readonly version: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What stands beside the items and is no part of their streams: a token, a webhook, its deliveries, an upload. */
export interface SideRecord {
  readonly kind: string;
  /** Unique within its kind. */
  readonly id: string;
  /** Grows with every write; 1 at first. */
  readonly version: number;
  /** What the records of a kind are listed and due by; milliseconds. */
  readonly at: number;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface SideRecordQuery {
  /** Only those at or before; milliseconds. */
  readonly until?: number;
  /** Only those behind this one in the order asked for. */
  readonly behind?: Pick<SideRecord, 'at' | 'id'>;
  readonly newestFirst?: boolean;
  readonly limit: number;
}

/** Something `doctor` found wrong. `repair` mends every kind but `unreadable`, `invariant` and `damage`. */
export interface Finding {
  readonly kind: 'unreadable' | 'invariant' | 'damage' | 'projection' | 'snapshot' | 'lease' | 'hold' | 'counts';
  readonly itemId?: string;
  /** A sentence: what is wrong, and where. */
  readonly what: string;
  readonly expected?: string;
  readonly found?: string;
}

export interface DoctorReport {
  readonly healthy: boolean;
  readonly items: number;
  readonly events: number;
  readonly findings: readonly Finding[];
}

export interface RepairReport {
  /** What was wrong before, and is mended now. */
  readonly repaired: readonly Finding[];
  /** What nobody but a person can mend. */
  readonly left: readonly Finding[];
}

export interface Changes {
  /** Pass it to the next call. */
  readonly cursor: number;
  /** `first` and `version` are the sequences of the item's first and last event among them. */
  readonly items: readonly { readonly itemId: string; readonly first: number; readonly version: number }[];
}

/**
 * Where items live. Every change of an item goes through `execute`; the rest reads, or keeps what stands beside the
 * streams. Methods throw `StoreError` when the store fails, and nothing else but programmer errors.
 */
export interface Store {
  /**
   * Decides a command and writes what follows, in one transaction. A refusal is a value and changes nothing but a
   * place in a queue; `store_busy` and `item_quarantined` are refusals too. When a `StoreError` is thrown the
   * command was not executed, or its commit is unknown: repeat it under its idempotency key.
   */
  execute(command: Command): Promise<Executed | Rejection>;
  /**
   * The same, with bodies that are stored in the same transaction when the command is executed: what an event names by
   * its hash is there, or the event is not.
   */
  executeWith(command: Command, contents: readonly (Uint8Array | string)[]): Promise<Executed | Rejection>;
  /** Throws `StoreError` `item_quarantined` for an item whose stream cannot be folded. */
  load(itemId: string): Promise<ItemState | undefined>;
  /** The item that a command under this idempotency key made or changed; undefined while none was executed. */
  submitted(key: string): Promise<string | undefined>;
  /** Events behind `after` (0), oldest first, at most `limit` (1000); only those of `types` where some are named. */
  events(
    itemId: string,
    options?: { readonly after?: number; readonly limit?: number; readonly types?: readonly string[] },
  ): Promise<readonly StoredEvent[]>;
  /** Items that owe a step at `now`, in turn; `after` continues behind the last one of a page. */
  dueItems(query: {
    readonly now: number;
    readonly limit: number;
    readonly after?: DueItem;
  }): Promise<readonly DueItem[]>;
  /** Earliest instant behind `now` at which an item will owe a step. */
  nextDueAt(now: number): Promise<number | null>;
  list(query: ListQuery): Promise<ListPage>;
  /** The directories that items are in, by name, at most `limit` (1..500); only those behind `after`. */
  directories(query: { readonly after?: string; readonly limit: number }): Promise<readonly DirectoryFacet[]>;
  /** What finished items have used, newest first, at most 50: what a forecast is made of. */
  history(directory?: string): Promise<readonly ItemSummary[]>;
  /** Ids that begin with `prefix`, in order, at most 20: what a person typed is short. */
  findItems(prefix: string): Promise<readonly string[]>;
  /** Runs of an item, newest first, at most `limit` (100); `before`: only those that started before this event. */
  runs(
    itemId: string,
    options?: { readonly actionId?: string; readonly before?: number; readonly limit?: number },
  ): Promise<readonly RunRow[]>;
  run(itemId: string, runId: string): Promise<RunRow | undefined>;
  /**
   * The conversation in order, at most `limit` (200): the first entries behind the event `after`, or the last ones
   * before the event `before`, or simply the last ones.
   */
  entries(
    itemId: string,
    options?: { readonly after?: number; readonly before?: number; readonly limit?: number },
  ): Promise<readonly EntryRow[]>;
  /**
   * Model requests of an item, newest first, at most `limit` (100); `ownerId` is a Run or a turn; `before`: only those
   * that were prepared before this event.
   */
  calls(
    itemId: string,
    options?: { readonly ownerId?: string; readonly before?: number; readonly limit?: number },
  ): Promise<readonly CallRow[]>;
  call(itemId: string, callId: string): Promise<CallRow | undefined>;

  /** The new epoch, or undefined while somebody holds it. Not for the leases of Runs: those are claimed. */
  acquireLease(resource: string, owner: string, ttlMs: number): Promise<number | undefined>;
  /** Also of an expired lease, as long as nobody took over (D8). False: it is lost. */
  renewLease(resource: string, owner: string, epoch: number, ttlMs: number): Promise<boolean>;
  /** Does nothing unless owner and epoch match. */
  releaseLease(resource: string, owner: string, epoch: number): Promise<void>;
  /** Leases of Runs that have run out by the store's clock, oldest first. */
  expiredRuns(query: { readonly limit: number }): Promise<readonly RunLease[]>;
  liveRuns(): Promise<readonly RunLease[]>;

  heartbeat(worker: WorkerIdentity): Promise<void>;
  workers(): Promise<readonly WorkerRow[]>;
  /** It has ended, in good order or not: its leases are free at once, but for those of Runs, which a command ends. */
  stopWorker(owner: string): Promise<void>;
  /** One process per Run; recording another replaces it. */
  recordProcess(row: ProcessIdentity): Promise<void>;
  forgetProcess(runId: string): Promise<void>;
  processes(query?: { readonly machine?: string }): Promise<readonly ProcessRow[]>;

  /** Stores a body once, whoever puts it; putting it again makes it young. */
  putContent(body: Uint8Array | string): Promise<ContentRef>;
  getContent(hash: string): Promise<Uint8Array | undefined>;
  /** Removes bodies last put before `olderThan` that are not referenced, or just those of `only`; answers how many. */
  gcContent(query: {
    readonly olderThan: number;
    readonly referenced?: ReadonlySet<string>;
    readonly only?: readonly string[];
  }): Promise<number>;

  readSettings(): Promise<Settings>;
  /** False when somebody wrote in between. */
  writeSettings(expectedVersion: number, value: Readonly<Record<string, unknown>>): Promise<boolean>;

  /** Writes a record over that of `expectedVersion`; 0 means that there must be none. False when it is another. */
  putRecord(row: Omit<SideRecord, 'version'>, expectedVersion: number): Promise<boolean>;
  getRecord(kind: string, id: string): Promise<SideRecord | undefined>;
  /** The records of a kind by `at`, then id; oldest first unless told otherwise. */
  listRecords(kind: string, query: SideRecordQuery): Promise<readonly SideRecord[]>;
  /** Whether there was one, of that version where one is named. */
  dropRecord(kind: string, id: string, version?: number): Promise<boolean>;

  /** Commits of this process; other processes are seen through `changedSince`. Answers how to stop listening. */
  onCommit(listener: CommitListener): () => void;
  /** Items with events behind `cursor`; start with `undefined` to learn the present cursor. At most 1000 events. */
  changedSince(cursor: number | undefined): Promise<Changes>;

  /** Folds every stream again and compares all rows with it; yields to the event loop between items. */
  doctor(): Promise<DoctorReport>;
  repair(): Promise<RepairReport>;
  /** A consistent copy at `path`, which must not exist; work goes on meanwhile. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}
