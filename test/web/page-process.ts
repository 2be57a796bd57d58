/**
 * A server with its engine in a process of its own, for tests that kill it. Input, as JSON in the first argument:
 * `PageOrder`. Prints `up` when it serves.
 */
import { randomBytes } from 'node:crypto';
import { onMachine, serveApi } from '../../src/api/index.ts';
import { openEngine, openLiveText } from '../../src/engine/index.ts';
import { submitGoal } from '../../src/engine/submit/submit-goal.ts';
import { openWorldAt } from '../support/world.ts';

export interface PageOrder {
  readonly root: string;
  readonly port: number;
  readonly page: string;
  readonly env: Readonly<Record<string, string>>;
}

const { root, port, page, env }: PageOrder = JSON.parse(process.argv[2] ?? '');
const world = await openWorldAt(root, { env, leaseMs: 2_000 });
const liveText = openLiveText();
const engine = openEngine(world, { liveText });
const newItemId = (): string => `w${randomBytes(4).toString('hex')}`;
await engine.start();
await serveApi({
  ...{ store: world.store, version: '1.0.0', port, page, liveText, machine: onMachine(world) },
  submit: (submission) => submitGoal({ ...world, newItemId }, submission),
  troubles: () => engine.troubles(),
});
console.log('up');
