import type { Migration } from '../../src/store/sqlite/migration.ts';

/** A later schema that exists only in tests. Applying it twice fails. */
export const SECOND_SCHEMA: Migration = {
  version: 2,
  name: 'second-schema',
  breaking: true,
  sql: `CREATE TABLE marks (n INTEGER NOT NULL) STRICT; INSERT INTO marks VALUES (1);`,
};

export const GENTLE_SCHEMA: Migration = { ...SECOND_SCHEMA, name: 'gentle-schema', breaking: false };
