import type { Database } from 'better-sqlite3';
import { sha256Hex } from '../sha256.ts';
import { StoreError } from '../store-error.ts';
import type { Migration } from './migration.ts';
import { firstSchema } from './migrations/0001-first-schema.ts';
import { conversationAndCalls } from './migrations/0002-conversation-and-calls.ts';
import { sideRecords } from './migrations/0003-side-records.ts';

export const MIGRATIONS: readonly Migration[] = [firstSchema, conversationAndCalls, sideRecords];

interface LedgerRow {
  readonly version: number;
  readonly name: string;
  readonly hash: string;
  readonly breaking: number;
}

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  breaking INTEGER NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;
const HAS_TABLES = "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'";
const HAS_LEDGER = "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'";
const READ_LEDGER = 'SELECT version, name, hash, breaking FROM schema_migrations ORDER BY version';
const ENTER = 'INSERT INTO schema_migrations (version, name, hash, breaking, applied_at) VALUES (?, ?, ?, ?, ?)';

const migrationHash = (step: Migration): string => sha256Hex(`${step.version}\n${step.name}\n${step.sql}`);

const count = (db: Database, sql: string): number => db.prepare<[], { n: number }>(sql).get()?.n ?? 0;

function readLedger(db: Database): readonly LedgerRow[] {
  if (count(db, HAS_LEDGER) > 0) return db.prepare<[], LedgerRow>(READ_LEDGER).all();
  if (count(db, HAS_TABLES) === 0) return [];
  throw new StoreError('store_corrupt', `${db.name} is a database of another program; choose another file.`);
}

/** Refuses what an older program must not touch, and what claims to be a known step but is not. */
function checkLedger(db: Database, ledger: readonly LedgerRow[], known: readonly Migration[]): void {
  const newest = known.at(-1)?.version ?? 0;
  const newer = ledger.find((row) => row.version > newest && row.breaking !== 0);
  if (newer) {
    throw new StoreError(
      'store_newer_schema',
      `${db.name} has schema ${newer.version} (${newer.name}); this program knows up to ${newest}. Upgrade it.`,
    );
  }
  for (const step of known) {
    const row = ledger.find((candidate) => candidate.version === step.version);
    if (row && row.hash !== migrationHash(step)) {
      throw new StoreError('store_corrupt', `${db.name}: schema step ${step.version} is not the one released.`);
    }
  }
}

/**
 * Brings the schema up to date. Each step commits with its ledger row, written first, so that of twenty processes
 * opening an old file one applies it and the others find it done. Throws the driver's busy error for the caller to
 * retry: a step that was begun and not finished leaves nothing.
 */
export function migrate(db: Database, nowMs: number, known: readonly Migration[] = MIGRATIONS, readOnly = false): void {
  checkLedger(db, readLedger(db), known);
  if (readOnly) return;
  for (const step of known) {
    const applied = readLedger(db).some((row) => row.version === step.version);
    if (!applied) applyStep(db, step, nowMs);
  }
}

function applyStep(db: Database, step: Migration, nowMs: number): void {
  const apply = db.transaction(() => {
    db.exec(LEDGER);
    const done = db.prepare<[], LedgerRow>(READ_LEDGER).all();
    if (done.some((row) => row.version === step.version)) return;
    db.prepare(ENTER).run(step.version, step.name, migrationHash(step), step.breaking ? 1 : 0, nowMs);
    db.exec(step.sql);
  });
  apply.immediate();
}
