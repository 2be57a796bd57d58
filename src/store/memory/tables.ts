import type { Facts, HoldRow, LeaseRow } from '../../core/index.ts';
import type { StreamRows } from '../apply-change.ts';
import type { EventRow, ItemRow, ItemTextRow, SnapshotRow, SubmissionRow } from '../rows.ts';
import type { ProcessRow, SideRecord, WorkerRow } from '../store.ts';

/** A lease; without an owner it only remembers its epoch. */
export interface MemoryLease extends Omit<LeaseRow, 'owner'> {
  readonly owner: string | null;
  readonly itemId: string | null;
  readonly runId: string | null;
  readonly alone: boolean;
  readonly idle: boolean;
}

export interface Change {
  readonly itemId: string;
  readonly seq: number;
}

/** The tables of a store as plain maps. They end with the process. */
export interface Tables {
  readonly events: Map<string, EventRow[]>;
  /** Every event in the order of commits; its place is the cursor of `changedSince`. */
  readonly changes: Change[];
  readonly snapshots: Map<string, SnapshotRow>;
  readonly submissions: Map<string, SubmissionRow>;
  readonly items: Map<string, ItemRow>;
  readonly texts: Map<string, ItemTextRow>;
  readonly rows: Map<string, StreamRows>;
  readonly leases: Map<string, MemoryLease>;
  /** By Run. */
  readonly holds: Map<string, HoldRow>;
  /** In the order of arrival. */
  readonly waiters: { readonly key: string; readonly itemId: string }[];
  readonly quarantined: Map<string, string>;
  readonly workers: Map<string, WorkerRow>;
  readonly processes: Map<string, ProcessRow>;
  /** Charged per UTC day. */
  readonly days: Map<number, Facts['day']>;
  readonly content: Map<string, { readonly body: Uint8Array; readonly storedAt: number }>;
  readonly records: Map<string, SideRecord>;
  settings: { version: number; text: string };
}

export const emptyTables = (): Tables => ({
  events: new Map(),
  changes: [],
  snapshots: new Map(),
  submissions: new Map(),
  items: new Map(),
  texts: new Map(),
  rows: new Map(),
  leases: new Map(),
  holds: new Map(),
  waiters: [],
  quarantined: new Map(),
  workers: new Map(),
  processes: new Map(),
  days: new Map(),
  content: new Map(),
  records: new Map(),
  settings: { version: 0, text: '{}' },
});
