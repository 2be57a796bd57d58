/**
 * The thread behind `checkpointer.ts`: moves the write-ahead log into the database file, so that the thread which keeps
 * leases never waits for it. JavaScript, since it is loaded by its file name, from `src` and `dist` alike.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** @type {{ path: string, durability: string, workPages: number, restartPages: number, patienceMs: number }} */
const { path, durability, workPages, restartPages, patienceMs } = workerData;

const db = new Database(path, { fileMustExist: true, timeout: patienceMs });
db.pragma('wal_autocheckpoint = 0');
db.pragma(`synchronous = ${durability}`);

/** @param {string} mode */
const checkpoint = (mode) => db.pragma(`wal_checkpoint(${mode})`)[0];

/**
 * PASSIVE does the bulk while others go on writing. It alone would never let the log begin anew under constant
 * writing, for there is always a newer page; RESTART locks writers out for the short rest, and they wait asynchronously.
 */
function tend() {
  const before = checkpoint('NOOP');
  if (before.log - before.checkpointed >= workPages) checkpoint('PASSIVE');
  if (before.log >= restartPages) checkpoint('RESTART');
}

parentPort.on('message', (wish) => {
  if (wish === 'close') {
    db.close();
    parentPort.close();
    return;
  }
  try {
    tend();
  } catch (error) {
    // Another process checkpoints, or the disk is full: the next wish tries again, and the log's own bound stands.
    if (!String(error?.code).startsWith('SQLITE_')) throw error;
  }
  parentPort.postMessage('tended');
});
