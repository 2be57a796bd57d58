/**
 * Writes `fixtures/schema-<n>.db`, a store as the present schema leaves it: `npx tsx test/store/write-fixture.ts`.
 * Run it once when a schema is released; later versions must open and migrate the file, never rewrite it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { claim, command, create, dispatch, settle, USER } from './items.ts';
import { agentItem, call, post, responded, runFence, talkTurn } from './talk-items.ts';

const version = MIGRATIONS.at(-1)?.version ?? 0;
const path = join(import.meta.dirname, 'fixtures', `schema-${version}.db`);

async function fill(): Promise<void> {
  let at = 1_700_000_000_000;
  const now = (): number => {
    at += 1_000;
    return at;
  };
  const store = await openSqliteStore({ path, now, durability: 'normal' });
  for (const id of ['01-draft', '02-running', '03-proven', '04-held']) {
    await store.execute(create(id, { start: id !== '01-draft' }, { idempotencyKey: `submit-${id}` }));
  }
  await store.execute(claim('02-running', 'run-2'));
  await store.execute(dispatch('02-running', 'run-2'));
  await store.execute(claim('03-proven', 'run-3'));
  await store.execute(dispatch('03-proven', 'run-3'));
  await store.execute(settle('03-proven', 'run-3'));
  const held = { type: 'HoldItem', code: 'user', details: 'until Monday' } as const;
  await store.execute(command('04-held', held, { principal: USER }));
  for (const step of talkTurn('05-talk', 'turn-1')) await store.execute(step);
  await store.execute(post('05-talk', 'And then?'));
  await store.execute(agentItem('06-agent'));
  await store.execute(claim('06-agent', 'run-6'));
  await store.execute(dispatch('06-agent', 'run-6'));
  await store.execute(post('06-agent', 'Mind the tests.', 'a1'));
  const asked = call('06-agent', runFence('run-6'), 'call-6', { messages: 1 });
  for (const step of [asked.prepare, asked.dispatch, asked.settle(responded())]) await store.execute(step);
  await store.putContent('a log');
  await store.writeSettings(0, { concurrency: 3 });
  await store.close();
}

rmSync(path, { force: true });
await fill();
// One file, without a log beside it, so that it can be kept in the repository.
const db = new Database(path);
db.pragma('journal_mode = DELETE');
db.exec('VACUUM');
db.close();
