/**
 * The store's front door. What stands in this folder is the same for every database:
 *
 * - the interface: `store.ts`, `store-error.ts`
 * - the way in: `door.ts` decides inside one transaction and speaks to a database through `ops.ts`; around it
 *   `run-command.ts`, `read-state.ts`, `state-cache.ts`, `retry.ts`, `loop-turn.ts`, `commit-feed.ts`
 * - what is written: `rows.ts`, `talk-rows.ts`, `row-values.ts`, `talk-values.ts`, `event-codec.ts`; how it follows
 *   from events: `projection.ts`, `project-entries.ts`, `project-calls.ts`, `proof-marks.ts`, `states-between.ts`, `apply-change.ts`; how old events are read:
 *   `upcast.ts`, `events-of-version-1.ts`
 * - what is read beside the state: `changed-items.ts`, `list-items.ts`, `list-cursor.ts`, `item-summary.ts`
 * - whether it is whole: `doctor.ts`, `inspect-item.ts`
 */

export type { Policy } from '../core/index.ts';
export type { CommitListener } from './commit-feed.ts';
export type { Executed } from './door.ts';
export { openMemoryStore } from './memory/open-memory-store.ts';
export {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from './postgres/open-postgres-store.ts';
export type { ProofMark } from './proof-marks.ts';
export type { EventRow, ItemRow, RunRow } from './rows.ts';
export type { PolicyChoice } from './run-command.ts';
export { sha256Hex } from './sha256.ts';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';
export type * from './store.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';
export type { CallRow, Delivery, EntryRow } from './talk-rows.ts';
