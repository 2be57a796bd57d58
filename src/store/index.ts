/** The store's front door. */
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
