import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { until } from '../support/until.ts';
import { call, newClient } from './mcp-bench.ts';

const SCRIPT = await compiledScript(new URL('./mcp-process.ts', import.meta.url));
const PLAN = `
goal: change a
criteria:
  - text: a is changed
    check: echo looked at a; grep -qx changed a.txt
actions:
  - id: work
    run: echo changed > a.txt
    for: [c1]
`;

let rig: Rig;
let client: Client | undefined;
beforeEach(async () => {
  rig = await openRig({ 'a.txt': 'a\n' });
});
afterEach(async () => {
  await client?.close();
  expect(await rig.close()).toBe(0);
});

async function serve(principal: 'user' | 'agent'): Promise<{ readonly at: Client; readonly pid: number }> {
  const args = [SCRIPT, rig.root, principal];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' });
  client = newClient();
  await client.connect(transport);
  return { at: client, pid: transport.pid ?? 0 };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a client over stdio waits for the end of an item that another process carries, and reads its proof', async () => {
  const world = await rig.world();
  const { id } = await submitPlan(world, PLAN, rig.repo);
  const { at } = await serve('agent');
  const waiting = call(at, 'wait_for_item', { id, timeoutSec: 600 }, { timeout: 55_000 });
  const engine = openEngine(world);
  await engine.start();
  const waited = await waiting;
  await engine.stop();
  expect(waited).toMatchObject({ value: { ended: 'done', item: { criteria: [{ standing: 'passed' }] } } });
  const all = await call(at, 'read_evidence', { id });
  expect(all).toMatchObject({
    value: { criteria: [{ id: 'c1', proof: 'machine', receipt: { verdict: 'passed', exitCode: 0 } }] },
  });
  const { value } = await call(at, 'read_evidence', { id, criterion: 'c1' });
  expect(value).toMatchObject({
    receipt: { verdict: 'passed', base: { verdict: 'wrong_exit' }, command: expect.stringContaining('grep') },
    log: { text: expect.stringContaining('looked at a'), cut: false },
  });
  const [content] = (await at.readResource({ uri: `workcenter://items/${id}/receipts/c1` })).contents;
  expect(JSON.parse(content && 'text' in content ? content.text : '')).toEqual(value);
});

it('has the authority that it was started with, an agent where nobody said otherwise (D16)', async () => {
  const wish = { goal: 'Say hello', directory: rig.repo };
  const { at: agent } = await serve('agent');
  expect(await call(agent, 'create_item', wish)).toMatchObject({ value: { status: 'draft' } });
  await agent.close();
  const { at: user } = await serve('user');
  const { value } = await call(user, 'create_item', wish);
  expect(value).toMatchObject({ status: 'deciding' });
  const { id } = value as { id: string };
  expect(await call(user, 'send_message', { id, text: 'Hello.' })).toMatchObject({ isError: false });
});

it('ends in good order when the client hangs up; a call that waits is told what to do next', async () => {
  const { at, pid } = await serve('user');
  const { value } = await call(at, 'create_item', { goal: 'Say hello', directory: rig.repo });
  const waiting = call(at, 'wait_for_item', { id: (value as { id: string }).id, timeoutSec: 3_600 });
  await at.ping();
  await at.close();
  expect(await waiting).toMatchObject({
    value: { ended: 'server_stops', next: expect.stringContaining('call wait_for_item again') },
  });
  await until('the server has ended', () => !isAlive(pid));
  expect(await readFile(join(rig.root, 'ended'), 'utf8')).toBe('in good order');
});
