/** A process of its own for the tests of several processes on one file: `child.ts <mode> <path> <name> [<count>]`. */
import { setTimeout } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { claim, create, dispatch, settle } from './items.ts';
import { LATER_SCHEMA } from './later-schema.ts';

const [mode = '', path = '', name = '', count = '0'] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Waits for the parent's word, so that all children begin together. */
async function startSignal(): Promise<void> {
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.pause();
}

async function migrateOnce(): Promise<void> {
  await startSignal();
  const store = await openSqliteStore({ path, migrations: [...MIGRATIONS, LATER_SCHEMA] });
  say(`items ${(await store.list({ limit: 9 })).items.length}`);
  await store.close();
}

/** Tries to claim every item; says which ones it got. */
async function race(): Promise<void> {
  const store = await openSqliteStore({ path, policy: () => ({ concurrency: 1_000 }), durability: 'normal' });
  await startSignal();
  for (let index = 0; index < Number(count); index++) {
    const result = await store.execute(claim(`i${index}`, `${name}-${index}`, { owner: name }));
    if ('type' in result) say(`won i${index}`);
    else if (result.code !== 'not_runnable') say(`odd ${result.code}`);
  }
  await store.close();
}

/** Works until it is killed, and says what it was told to be done. */
async function work(): Promise<void> {
  const store = await openSqliteStore({ path, policy: () => ({ concurrency: 1_000 }) });
  for (let index = 0; ; index++) {
    const id = `${name}-${index}`;
    for (const command of [create(id), claim(id, `r-${id}`), dispatch(id, `r-${id}`), settle(id, `r-${id}`)]) {
      const result = await store.execute(command);
      if ('type' in result) say(`${id} ${result.state.version}`);
    }
    await setTimeout(0);
  }
}

if (mode === 'migrate') await migrateOnce();
else if (mode === 'race') await race();
else await work();
