import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts';
import { firstSchema } from '../../src/store/sqlite/migrations/0001-first-schema.ts';
import { executed, refusal } from './conformance.ts';
import { create, dispatch, settle } from './items.ts';
import { GENTLE_SCHEMA, LATER_SCHEMA } from './later-schema.ts';
import { withFiles } from './sqlite-files.ts';
import { openTurn } from './talk-items.ts';

const FIXTURES = MIGRATIONS.map((step) => step.version);
/** Later fixtures hold what earlier schemas could not. */
const ACTIVE: Readonly<Record<number, number>> = { 1: 2, 2: 4, 3: 4 };
const fixture = (version: number): string => join(import.meta.dirname, 'fixtures', `schema-${version}.db`);

test.each(FIXTURES)('a store of schema %i opens, is sound, and its work goes on', (version) =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(version), path);
    const store = await open({ now: () => 1_800_000_000_000 });
    expect((await store.doctor()).findings).toEqual([]);
    expect((await store.list({ limit: 9 })).counts).toEqual({
      needs_you: 1,
      active: ACTIVE[version],
      done: 0,
      draft: 1,
    });
    executed(await store.execute(settle('02-running', 'run-2')));
    expect(refusal(await store.execute(dispatch('03-proven', 'run-3')))).toBe('lease_lost');
    expect(executed(await store.execute(create('new', { start: false }, { idempotencyKey: 'other' }))).state.id).toBe(
      'new',
    );
    expect(await store.readSettings()).toEqual({ version: 1, value: { concurrency: 3 } });
  }),
);

test('D37: items that were there before are found by the tool that created them', () =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(2), path);
    const db = new Database(path);
    const origin = 'json_set(data, \'$.origin\', json(\'{"client":"ide","sessionId":"s1"}\'))';
    db.exec(`UPDATE events SET data = ${origin} WHERE item_id = '01-draft' AND seq = 1`);
    db.exec("UPDATE events SET data = 'no json' WHERE item_id = '04-held' AND seq = 1");
    db.exec('DELETE FROM snapshots');
    db.close();
    const store = await open();
    const found = await store.list({ limit: 9, originClient: 'ide', originSession: 's1' });
    expect(found.items.map(({ id }) => id)).toEqual(['01-draft']);
    const wrong = (await store.doctor()).findings.filter(({ itemId }) => itemId === '01-draft');
    expect(wrong).toEqual([]);
  }));

test('answers that people gave in words before there were entries are in the conversation', () =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(1), path);
    const db = new Database(path);
    const answer = (requestId: string, text: string) =>
      db
        .prepare("INSERT INTO events (item_id, seq, type, version, at, data) VALUES ('01-draft', ?, ?, 1, 7, ?)")
        .run(Number(requestId.slice(1)) + 1, 'RequestAnswered', JSON.stringify({ requestId, choice: 'text', text }));
    answer('r1', 'The second.');
    answer('r2', ' \n');
    db.close();
    const entries = await (await open()).entries('01-draft');
    expect(entries).toEqual([
      {
        ...{
          itemId: '01-draft',
          seq: 2,
          entryId: 'r1',
          at: 7,
          author: 'person',
          targetKind: 'request',
          targetId: 'r1',
        },
        ...{ text: 'The second.', quote: null, attachments: [], delivery: 'delivered', detail: null },
      },
    ]);
  }));

test('a conversation and its model requests go on in a store of schema 2', () =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(2), path);
    const store = await open({ now: () => 1_800_000_000_000 });
    const delivery = async (id: string) => (await store.entries(id)).map((it) => `${it.entryId} ${it.delivery}`);
    expect(await delivery('05-talk')).toEqual(['m1 delivered', 'turn-1 delivered', 'm2 queued']);
    expect(await delivery('06-agent')).toEqual(['m1 delivered']);
    executed(await store.execute(openTurn('05-talk', 'turn-2')));
    expect((await delivery('05-talk')).at(-1)).toBe('m2 scheduled');
    expect(await store.call('06-agent', 'call-6')).toMatchObject({ status: 'responded', chargedCostMicros: 2_500 });
  }));

test('a newer schema that breaks older programs refuses to open and is left as it is', () =>
  withFiles(async ({ open }) => {
    const newer = await open({ migrations: [...MIGRATIONS, LATER_SCHEMA] });
    await newer.execute(create('i1'));
    await newer.close();
    await expect(open()).rejects.toMatchObject({ code: 'store_newer_schema' });
    expect((await (await open({ migrations: [...MIGRATIONS, LATER_SCHEMA] })).load('i1'))?.version).toBe(2);
  }));

test('a newer schema that breaks nothing opens', () =>
  withFiles(async ({ open }) => {
    await (await open({ migrations: [...MIGRATIONS, GENTLE_SCHEMA] })).execute(create('i1'));
    expect((await (await open()).load('i1'))?.version).toBe(2);
  }));

test('a step that fails half-way leaves nothing, and is done later', () =>
  withFiles(async ({ open, path }) => {
    await open();
    const broken = { ...LATER_SCHEMA, sql: `${LATER_SCHEMA.sql} INSERT INTO nowhere VALUES (1);` };
    await expect(open({ migrations: [...MIGRATIONS, broken] })).rejects.toMatchObject({ code: 'store_io' });
    const db = new Database(path);
    const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'marks'").get();
    db.close();
    expect(tables).toEqual({ n: 0 });
    await open({ migrations: [...MIGRATIONS, LATER_SCHEMA] });
  }));

test('MIG-3: a step whose text is not the one that was applied refuses to open', () =>
  withFiles(async ({ open }) => {
    await open();
    const forged = { ...firstSchema, sql: `${firstSchema.sql} -- and a little more` };
    await expect(open({ migrations: [forged, ...MIGRATIONS.slice(1)] })).rejects.toMatchObject({
      code: 'store_corrupt',
    });
  }));

test('a store that is opened for reading reads, and refuses to write', () =>
  withFiles(async ({ open }) => {
    await (await open()).execute(create('i1'));
    const reader = await open({ readOnly: true });
    expect((await reader.load('i1'))?.version).toBe(2);
    await expect(reader.execute(create('i2'))).rejects.toMatchObject({ code: 'store_readonly' });
  }));

test('cards of an older schema leave out what is not known of their proofs, until their item moves', () =>
  withFiles(async ({ open, path }) => {
    await copyFile(fixture(2), path);
    const store = await open({ now: () => 1_800_000_000_000 });
    const marksOf = async (id: string) => (await store.list({ limit: 9 })).items.find((item) => item.id === id)?.marks;
    expect(await marksOf('02-running')).toBeUndefined();
    expect((await store.doctor()).findings).toEqual([]);
    executed(await store.execute(settle('02-running', 'run-2')));
    expect(await marksOf('02-running')).toEqual(['self']);
  }));
