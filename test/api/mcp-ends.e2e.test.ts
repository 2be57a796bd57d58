import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveMcpStdio } from '../../src/api/mcp/index.ts';
import type { World } from '../../src/engine/index.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { submitGoal } from '../support/submit-goal.ts';
import { until } from '../support/until.ts';
import { listenedStore, mcpDeps, USER } from './mcp-bench.ts';

let rig: Rig;
let world: World;
beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
  world = await rig.world();
});
afterEach(async () => {
  expect(await rig.close()).toBe(0);
});

const clientInfo = { name: 'a script', version: '1' };
const HELLO = [
  { ...{ id: 1, method: 'initialize' }, params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
];
const calls = (id: number, name: string, input: object) => ({
  ...{ id, method: 'tools/call' },
  params: { name, arguments: input },
});
const lines = (messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

/** Every answer by the id of its request, once the server has ended. */
function answered(stdout: PassThrough): ReadonlyMap<number, unknown> {
  const text = String(stdout.read() ?? '');
  const answers = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: number; readonly result?: unknown });
  return new Map(answers.map(({ id, result }) => [id, result]));
}

/** A tool's answer whose text has these fields, among others. */
const told = (fields: object) => ({
  content: [{ text: expect.stringContaining(JSON.stringify(fields).slice(1, -1)) }],
});

it('answers what was asked before the input ended, and ends then', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { principal: _agent, ...deps } = mcpDeps(world, USER);
  const serving = serveMcpStdio({ ...deps, principal: USER, stdin, stdout });
  const wish = { goal: 'Say hello', directory: rig.repo };
  stdin.end(lines([...HELLO, calls(2, 'create_item', wish), calls(3, 'list_items', {}), { id: 4, method: 'ping' }]));
  await serving;
  const answers = answered(stdout);
  expect([...answers.keys()].sort()).toEqual([1, 2, 3, 4]);
  expect(answers.get(2)).toMatchObject(told({ status: 'deciding' }));
  expect((await world.store.list({ limit: 10 })).items).toHaveLength(1);
});

it('answers a call that waits when it is told to stop, with the next step', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const { store, listeners } = listenedStore(world.store);
  const { principal: _agent, ...deps } = mcpDeps(world, USER);
  const { id } = await submitGoal(world, rig.repo, { goal: 'Make it so' });
  const serving = serveMcpStdio({ ...deps, store, stdin, stdout, signal: stop.signal });
  stdin.write(lines([...HELLO, calls(2, 'wait_for_item', { id, timeoutSec: 3_600 })]));
  await until('it waits', () => listeners.size === 1);
  stop.abort();
  await serving;
  expect(answered(stdout).get(2)).toMatchObject(told({ ended: 'server_stops' }));
});

it('ends at once where nobody reads its answers any more', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { principal: _agent, ...deps } = mcpDeps(world, USER);
  const serving = serveMcpStdio({ ...deps, stdin, stdout });
  stdin.write(lines(HELLO));
  stdout.destroy(new Error('EPIPE'));
  await serving;
  expect(stdin.listenerCount('end')).toBe(0);
});
