import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts';
import type { Migration } from '../../src/store/sqlite/migration.ts';

/** A later schema that exists only in tests. Applying it twice fails. */
export const LATER_SCHEMA: Migration = {
  version: (MIGRATIONS.at(-1)?.version ?? 0) + 1,
  name: 'later-schema',
  breaking: true,
  sql: `CREATE TABLE marks (n INTEGER NOT NULL) STRICT; INSERT INTO marks VALUES (1);`,
};

export const GENTLE_SCHEMA: Migration = { ...LATER_SCHEMA, name: 'gentle-schema', breaking: false };
