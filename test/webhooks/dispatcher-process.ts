import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { sendOverHttp, startDispatcher } from '../../src/webhooks/index.ts';

/** A dispatcher in a process of its own, on the database that it is told, until it is killed. */
const [path = ''] = process.argv.slice(2);
const store = await openSqliteStore({ path, mustExist: true });
startDispatcher({
  store,
  owner: `process ${process.pid}`,
  now: Date.now,
  chance: Math.random,
  send: sendOverHttp,
  version: 'test',
});
