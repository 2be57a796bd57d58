/**
 * An engine in a process of its own that dies at a moment, or lives until nothing can move. Input, as JSON in the first
 * argument: `MomentOrder`. Prints `dying …` before it kills itself, else `seen …` and `idle`.
 */
import { openEngine } from '../../src/engine/index.ts';
import { printNow } from './effects.ts';
import { dieAtMoment, type Moment } from './moments.ts';
import { openWorldAt, type WorldOptions } from './world.ts';

export interface MomentOrder {
  readonly root: string;
  readonly options: Omit<WorldOptions, 'wrap' | 'store'>;
  readonly moment?: Moment;
}

const { root, options, moment }: MomentOrder = JSON.parse(process.argv[2] ?? '');
const mortality = dieAtMoment(moment, (what) => printNow(`dying ${what}`));
const world = await openWorldAt(root, { ...options, wrap: mortality.wrap });
const log = (message: string, facts?: unknown): void => printNow(`log ${message} ${JSON.stringify(facts ?? {})}`);
const engine = openEngine({ ...world, log });
await engine.start();
await engine.untilIdle();
await engine.stop();
await world.store.close();
printNow(`seen ${JSON.stringify([...mortality.seen()])}`);
printNow('idle');
