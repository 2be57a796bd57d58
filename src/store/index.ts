/**
 * The store's front door. What stands in this folder is the same for every database:
 *
 * - the interface: `store.ts`, `store-error.ts`
 * - the way in: `door.ts` decides inside one transaction and speaks to a database through `ops.ts`; around it
 *   `run-command.ts`, `read-state.ts`, `state-cache.ts`, `retry.ts`, `loop-turn.ts`, `commit-feed.ts`
 * - what is written: `rows.ts`, `row-values.ts`, `projection.ts`, `event-codec.ts`, `upcast.ts`
 * - what is read beside the state: `list-items.ts`, `list-cursor.ts`, `item-summary.ts`
 * - whether it is whole: `doctor.ts`, `inspect-item.ts`
 */
export type { CommitListener } from './commit-feed.ts';
export type { Executed, Policy } from './door.ts';
export { openMemoryStore } from './memory/open-memory-store.ts';
export {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from './postgres/open-postgres-store.ts';
export type { EventRow, ItemRow, RunRow } from './rows.ts';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';
export type * from './store.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';
