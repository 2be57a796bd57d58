import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { SNAPSHOT_FORMAT } from '../../src/store/read-state.ts';
import { refusal } from './conformance.ts';
import { claim, create, dispatch, OWNER, settle } from './items.ts';
import { withFiles } from './sqlite-files.ts';
import { agentItem, call, post, responded, runFence } from './talk-items.ts';

/** Does to a file what no command would do. */
function edit(path: string, ...statements: readonly string[]): void {
  const db = new Database(path);
  for (const statement of statements) db.exec(statement);
  db.close();
}

async function threeItems(store: Store): Promise<void> {
  await twoItems(store);
  await store.execute(agentItem('talked'));
  await store.execute(claim('talked', 'r2'));
  await store.execute(dispatch('talked', 'r2'));
  await store.execute(post('talked', 'Mind the tests.', 'a1'));
  const asked = call('talked', runFence('r2'), 'c1', { messages: 1 });
  for (const step of [asked.prepare, asked.dispatch, asked.settle(responded())]) await store.execute(step);
  await store.execute(post('talked', 'And the docs.', 'a1'));
}

async function twoItems(store: Store): Promise<void> {
  for (const id of ['bad', 'good']) await store.execute(create(id));
  await store.execute(claim('bad', 'r1'));
}

const DAMAGES: readonly (readonly [what: string, statement: string, reason: RegExp])[] = [
  ['an event that is not JSON', `UPDATE events SET data = '{"run' WHERE item_id = 'bad' AND seq = 3`, /not JSON/],
  ['a gap in the stream', `DELETE FROM events WHERE item_id = 'bad' AND seq = 2`, /event 2 is missing/],
  ['an unknown event type', `UPDATE events SET type = 'ItemFlown' WHERE item_id = 'bad' AND seq = 2`, /ItemFlown/],
  ['a newer event version', `UPDATE events SET version = 99 WHERE item_id = 'bad' AND seq = 2`, /version 99/],
  [
    'an event that does not fold',
    `UPDATE events SET type = 'RunSettled' WHERE item_id = 'bad' AND seq = 3`,
    /not fold/,
  ],
];

test.each(DAMAGES)('%s quarantines its item alone', (_what, statement, reason) =>
  withFiles(async ({ open, path, now }) => {
    const writer = await open();
    await twoItems(writer);
    edit(path, statement);
    const store = await open();
    expect(refusal(await store.execute(dispatch('bad', 'r1')))).toBe('item_quarantined');
    await expect(store.load('bad')).rejects.toMatchObject({ code: 'item_quarantined' });
    expect(refusal(await store.execute(claim('good', 'r2')))).toBe('executed');
    const card = (await store.list({ limit: 9, lane: 'needs_you' })).items[0];
    expect(card?.id).toBe('bad');
    expect(card?.quarantined).toMatch(reason);
    expect(await store.dueItems({ now: now() + 1, limit: 9 })).toEqual([]);
    expect((await store.liveRuns()).map((run) => run.itemId)).toEqual(['good']);
    const report = await store.doctor();
    expect(report.healthy).toBe(false);
    expect(report.findings.filter((finding) => finding.itemId === 'good')).toEqual([]);
    expect(report.findings.some((finding) => finding.kind === 'unreadable' && reason.test(finding.what))).toBe(true);
    expect((await store.repair()).left.map((finding) => finding.itemId)).toEqual(['bad']);
  }),
);

test('an item whose damage was undone by hand leaves the quarantine by repair', () =>
  withFiles(async ({ open, path }) => {
    const writer = await open();
    await twoItems(writer);
    edit(path, `UPDATE events SET type = 'ItemFlown' WHERE item_id = 'bad' AND seq = 2`);
    const store = await open();
    await store.execute(dispatch('bad', 'r1'));
    edit(path, `UPDATE events SET type = 'ItemStarted' WHERE item_id = 'bad' AND seq = 2`);
    expect((await store.repair()).left).toEqual([]);
    expect((await store.list({ limit: 9 })).items.find((item) => item.id === 'bad')?.quarantined).toBeUndefined();
    expect((await store.liveRuns()).map((run) => [run.runId, run.owner])).toEqual([['r1', OWNER]]);
    expect(refusal(await store.execute(dispatch('bad', 'r1')))).toBe('executed');
  }));

const EDITS: readonly (readonly [what: string, statement: string, kind: string])[] = [
  ['a title', `UPDATE work_items SET title = 'nicer' WHERE id = 'bad'`, 'projection'],
  ['a missing row', `DELETE FROM work_items WHERE id = 'bad'`, 'projection'],
  ['a searched text', `UPDATE item_texts SET goal = 'other' WHERE item_id = 'bad'`, 'projection'],
  ['a Run', `UPDATE runs SET status = 'completed' WHERE run_id = 'r1'`, 'projection'],
  ['a Run too many', `UPDATE runs SET started_seq = 9 WHERE run_id = 'r1'`, 'projection'],
  ['a lost lease', `UPDATE leases SET owner = NULL, run_id = NULL WHERE run_id = 'r1'`, 'lease'],
  ['a lease nobody holds', `INSERT INTO leases VALUES ('run:good:a1', 1, 'x', 5, 'good', 'r9', 0, 0)`, 'lease'],
  ['a lease of no item', `INSERT INTO leases VALUES ('run:no:a1', 1, 'x', 5, 'no', 'r9', 0, 0)`, 'lease'],
  ['a hold nobody has', `INSERT INTO holds VALUES ('r9', '/p', 'write', 'good')`, 'hold'],
  ['an idle Run', `UPDATE leases SET idle = 1 WHERE run_id = 'r1'`, 'lease'],
  ['an entry', `UPDATE entries SET delivery = 'delivered' WHERE entry_id = 'm2'`, 'projection'],
  ['a lost entry', `DELETE FROM entries WHERE entry_id = 'm1'`, 'projection'],
  ['a call', `UPDATE calls SET charged_cost_micros = 0 WHERE call_id = 'c1'`, 'projection'],
  ['a call too many', `UPDATE calls SET call_id = 'c9' WHERE call_id = 'c1'`, 'projection'],
  ['the money of an item', `UPDATE work_items SET cost_micros = 1 WHERE id = 'talked'`, 'projection'],
  ['a counter', `UPDATE lane_counts SET n = n + 1`, 'counts'],
  ['an item in quarantine without need', `INSERT INTO quarantined VALUES ('good', 'gossip', 1)`, 'projection'],
  ['a snapshot', `INSERT INTO snapshots VALUES ('bad', 2, ${SNAPSHOT_FORMAT}, '{"id":"bad","version":2}')`, 'snapshot'],
];

test.each(EDITS)(
  'V16: the doctor finds %s that was edited by hand, and repair puts it right',
  (_what, statement, kind) =>
    withFiles(async ({ open, path }) => {
      const writer = await open();
      await threeItems(writer);
      expect((await writer.doctor()).healthy).toBe(true);
      const talk = async (store: Store) => [await store.entries('talked'), await store.calls('talked')];
      const before = await talk(writer);
      edit(path, 'PRAGMA foreign_keys = OFF', statement);
      const store = await open();
      const report = await store.doctor();
      expect(report.findings.map((finding) => finding.kind)).toContain(kind);
      const repaired = await store.repair();
      expect(repaired.left).toEqual([]);
      expect(repaired.repaired.length).toBeGreaterThan(0);
      expect((await store.doctor()).findings).toEqual([]);
      expect(await talk(store)).toEqual(before);
      expect(refusal(await store.execute(dispatch('bad', 'r1')))).toBe('executed');
      expect(refusal(await store.execute(settle('bad', 'r1')))).toBe('executed');
    }),
);

test('a snapshot that cannot be read is not believed: the events are', () =>
  withFiles(async ({ open, path }) => {
    await twoItems(await open());
    edit(path, `INSERT INTO snapshots VALUES ('bad', 2, ${SNAPSHOT_FORMAT}, 'nonsense')`);
    expect((await (await open()).load('bad'))?.version).toBe(3);
  }));

test('a file that is no database, and one of another program, are refused with a typed error', () =>
  withFiles(async ({ open, directory }) => {
    const text = join(directory, 'text.db');
    await writeFile(text, 'this is a shopping list, and it is long enough to have a header of its own. '.repeat(20));
    await expect(open({ path: text })).rejects.toMatchObject({ code: 'store_corrupt' });
    const other = join(directory, 'other.db');
    edit(other, 'CREATE TABLE recipes (name TEXT)');
    await expect(open({ path: other })).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(open({ path: join(directory, 'no.db'), mustExist: true })).rejects.toMatchObject({
      code: 'store_not_found',
    });
  }));

test('a backup is a whole store of its own, and overwrites nothing', () =>
  withFiles(async ({ open, directory }) => {
    const store = await open();
    await threeItems(store);
    const target = join(directory, 'backup.db');
    await store.backup(target);
    await expect(store.backup(target)).rejects.toMatchObject({ code: 'store_io' });
    await store.execute(create('later'));
    const copy = await open({ path: target });
    expect((await copy.doctor()).findings).toEqual([]);
    expect((await copy.list({ limit: 9 })).items.map((item) => item.id).toSorted()).toEqual(['bad', 'good', 'talked']);
    expect(await copy.entries('talked')).toEqual(await store.entries('talked'));
    expect(await copy.calls('talked')).toHaveLength(1);
    expect(await copy.load('bad')).toEqual(await store.load('bad'));
  }));

test('a stream that is shorter than what this process remembers is believed over its memory', () =>
  withFiles(async ({ open, path }) => {
    const store = await open();
    await store.execute(create('i1'));
    await store.execute(claim('i1', 'r1'));
    expect((await store.load('i1'))?.version).toBe(3);
    edit(path, `DELETE FROM events WHERE item_id = 'i1' AND seq = 3`);
    const state = await store.load('i1');
    expect([state?.version, state?.runs]).toEqual([2, []]);
  }));

test('the log is cut when it is larger than allowed, and only then', () =>
  withFiles(async ({ open }) => {
    const store = await open();
    await store.execute(create('i1'));
    expect((await store.tendWal(1_000_000_000)).truncated).toBe(false);
    expect(await store.tendWal(0)).toMatchObject({ truncated: true });
    expect((await store.tendWal(0)).walBytes).toBe(0);
  }));

test('a closed store says so', () =>
  withFiles(async ({ open }) => {
    const store = await open();
    await store.close();
    await expect(store.execute(create('i1'))).rejects.toMatchObject({ code: 'store_closed' });
  }));
