import { copyFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Command } from '../src/core/index.ts';
import { door } from '../src/store/door.ts';
import { runSync } from '../src/store/ops.ts';
import { DEFAULT_PATIENCE } from '../src/store/retry.ts';
import { doorEnv } from '../src/store/run-command.ts';
import { connect } from '../src/store/sqlite/connection.ts';
import { sqliteDriver } from '../src/store/sqlite/sqlite-driver.ts';
import { stateCache } from '../src/store/state-cache.ts';

const BATCH = 1_000;
/** Many Runs may be live: what is measured is never the limit on Runs. */
export const MANY_RUNS = { concurrency: 1_000_000 };

/** Throws with the refusal: a benchmark that was refused would measure nothing. */
export function mustHave<T extends object>(answer: T): Exclude<T, { readonly code: string }> {
  if (!('code' in answer)) return answer as Exclude<T, { readonly code: string }>;
  throw new Error(`refused: ${JSON.stringify(answer)}`);
}

/**
 * Fills a store through its own write door, a thousand commands to a transaction instead of one: the same decisions,
 * rows and indexes as ever, without a commit for each. (`test/bench` asks the doctor whether that is so.)
 */
export async function fill(path: string, commands: Iterable<Command>): Promise<void> {
  const connection = await connect({
    path,
    durability: 'normal',
    readOnly: false,
    mustExist: false,
    patience: DEFAULT_PATIENCE,
    now: Date.now,
  });
  const cache = stateCache();
  const env = doorEnv(cache, () => MANY_RUNS);
  const driver = sqliteDriver(connection.statements, Date.now);
  const write = (command: Command): void => {
    const { answer, chars } = runSync(door(command, env), driver);
    cache.put(mustHave(answer).state, chars);
  };
  try {
    const queue = commands[Symbol.iterator]();
    for (let isDone = false; !isDone; ) {
      await connection.write(() => {
        for (let count = 0; count < BATCH && !isDone; count++) {
          const next = queue.next();
          if (next.done) isDone = true;
          else write(next.value);
        }
      });
      await setImmediate();
    }
    await connection.truncateWal();
  } finally {
    await connection.close();
  }
}

/** A closed store file under another name. */
export function copyStore(from: string, to: string): string {
  copyFileSync(from, to);
  return to;
}
