/**
 * One engine in a process of its own, for tests that kill it. Input, as JSON in the first argument: `EngineOrder`.
 * Prints `up`, one line per commit, `dying …` when it is about to kill itself, `idle` and `effects …` at a good end.
 */
import { writeFileSync } from 'node:fs';
import { openEngine } from '../../src/engine/index.ts';
import { becomeMortal, type Doom, printNow } from './effects.ts';
import { openWorldAt, type WorldOptions } from './world.ts';

export interface EngineOrder {
  readonly root: string;
  readonly options: Omit<WorldOptions, 'wrap' | 'store'>;
  /** End when nothing can move; else at SIGTERM. */
  readonly untilIdle: boolean;
  readonly doom?: Doom;
  /** Where to write its process id, for a command that kills its engine. */
  readonly pidFile?: string;
}

const order: EngineOrder = JSON.parse(process.argv[2] ?? '');
if (order.pidFile !== undefined) writeFileSync(order.pidFile, String(process.pid));
const death = order.doom && becomeMortal(order.doom, (what) => printNow(`dying ${what}`));
const world = await openWorldAt(order.root, { ...order.options, ...(death ? { wrap: death.wrap } : {}) });
const debug = (message: string, facts?: unknown): void => printNow(`log ${message} ${JSON.stringify(facts ?? {})}`);
const engine = openEngine({ ...world, log: debug });
world.store.onCommit((state, events) => {
  for (const { body } of events)
    printNow(`event ${body.type} ${state.id}${'actionId' in body ? ` ${body.actionId}` : ''}`);
});
const told = new Promise<void>((resolve) => process.once('SIGTERM', () => resolve()));
await engine.start();
printNow('up');
const alive = setInterval(() => undefined, 1_000);
await (order.untilIdle ? Promise.race([told, engine.untilIdle()]) : told);
await engine.stop();
clearInterval(alive);
await world.store.close();
if (death) printNow(`effects ${death.count()} ${JSON.stringify([...death.seen()])}`);
printNow('idle');
