import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts';
import { firstSchema } from '../../src/store/sqlite/migrations/0001-first-schema.ts';
import { executed, refusal } from './conformance.ts';
import { create, dispatch, settle } from './items.ts';
import { GENTLE_SCHEMA, SECOND_SCHEMA } from './second-schema.ts';
import { withFiles } from './sqlite-files.ts';

const FIXTURES = MIGRATIONS.map((step) => step.version);
const fixture = (version: number): string => join(import.meta.dirname, 'fixtures', `schema-${version}.db`);

test.each(FIXTURES)('a store of schema %i opens, is sound, and its work goes on', (version) =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(version), path);
    const store = await open({ now: () => 1_800_000_000_000 });
    expect((await store.doctor()).findings).toEqual([]);
    expect((await store.list({ limit: 9 })).counts).toEqual({ needs_you: 1, active: 2, done: 0, draft: 1 });
    executed(await store.execute(settle('02-running', 'run-2')));
    expect(refusal(await store.execute(dispatch('03-proven', 'run-3')))).toBe('lease_lost');
    expect(executed(await store.execute(create('new', { start: false }, { idempotencyKey: 'other' }))).state.id).toBe(
      'new',
    );
    expect(await store.readSettings()).toEqual({ version: 1, value: { concurrency: 3 } });
  }),
);

test('a newer schema that breaks older programs refuses to open and is left as it is', () =>
  withFiles(async ({ open }) => {
    const newer = await open({ migrations: [firstSchema, SECOND_SCHEMA] });
    await newer.execute(create('i1'));
    await newer.close();
    await expect(open()).rejects.toMatchObject({ code: 'store_newer_schema' });
    expect((await (await open({ migrations: [firstSchema, SECOND_SCHEMA] })).load('i1'))?.version).toBe(2);
  }));

test('a newer schema that breaks nothing opens', () =>
  withFiles(async ({ open }) => {
    await (await open({ migrations: [firstSchema, GENTLE_SCHEMA] })).execute(create('i1'));
    expect((await (await open()).load('i1'))?.version).toBe(2);
  }));

test('a step that fails half-way leaves nothing, and is done later', () =>
  withFiles(async ({ open, path }) => {
    await open();
    const broken = { ...SECOND_SCHEMA, sql: `${SECOND_SCHEMA.sql} INSERT INTO nowhere VALUES (1);` };
    await expect(open({ migrations: [firstSchema, broken] })).rejects.toMatchObject({ code: 'store_io' });
    const db = new Database(path);
    const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'marks'").get();
    db.close();
    expect(tables).toEqual({ n: 0 });
    await open({ migrations: [firstSchema, SECOND_SCHEMA] });
  }));

test('MIG-3: a step whose text is not the one that was applied refuses to open', () =>
  withFiles(async ({ open }) => {
    await open();
    const forged = { ...firstSchema, sql: `${firstSchema.sql} -- and a little more` };
    await expect(open({ migrations: [forged] })).rejects.toMatchObject({ code: 'store_corrupt' });
  }));

test('a store that is opened for reading reads, and refuses to write', () =>
  withFiles(async ({ open }) => {
    await (await open()).execute(create('i1'));
    const reader = await open({ readOnly: true });
    expect((await reader.load('i1'))?.version).toBe(2);
    await expect(reader.execute(create('i2'))).rejects.toMatchObject({ code: 'store_readonly' });
  }));
