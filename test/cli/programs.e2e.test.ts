import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, expect, test } from 'vitest';
import { call, newClient } from '../api/mcp-bench.ts';
import { compiledProgram, type Installation, install } from './program.ts';

/** What other programs get of the installed one: MCP over its standard streams, HTTP beside the engine. */
compiledProgram();

let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
});

async function mcp({ command, home }: Installation, args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  client = newClient();
  await client.connect(
    new StdioClientTransport({
      command: command.file,
      args: [...command.args, 'mcp', ...args],
      env: { PATH, WORKCENTER_HOME: home, ...env },
      cwd: home,
      stderr: 'inherit',
    }),
  );
  return client;
}

const goalIn = (directory: string) => ({ goal: 'a is better', directory, check: 'test -f a.txt' });

test.each([
  ['as the agent that it is', [], {}, { lifecycle: 'draft' }],
  ['inside of a Run', [], { WORKCENTER_RUN: 'k1-work-1' }, { lifecycle: 'draft' }],
  ['with the authority that a person lent', ['--as-user'], {}, { lifecycle: 'open' }],
])('workcenter mcp lets a client create an item %s', async (_who, args, env, expected) => {
  const program = await install();
  const { goal, directory } = goalIn(await program.repository());
  const made = await call(await mcp(program, args, env), 'create_item', { goal, directory, key: 'once' });
  expect(made).toMatchObject({ isError: false, value: { id: expect.any(String) } });
  const { data } = await program.json(['ls', '--all']);
  expect(data).toMatchObject({ items: [expected] });
});

test('nothing inside of a Run lends a client an authority', async () => {
  const program = await install();
  const { code, data } = await program.json(['mcp', '--as-user'], { env: { WORKCENTER_RUN: 'k1-work-1' } });
  expect([code, data]).toMatchObject([3, { error: { code: 'user_required' } }]);
});

test('workcenter up creates the item of a goal that comes over HTTP, once for each key', async () => {
  const program = await install();
  const { goal, directory, check } = goalIn(await program.repository());
  const up = program.start(['up', '--port', '0']);
  await up.says('HTTP: ');
  await up.says('openapi.json');
  const [, url = ''] = /HTTP: (\S+)/.exec(up.said()) ?? [];
  const send = () =>
    fetch(`${url}/work-items`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify({ goal, directory, criteria: [{ text: 'a is there', check }], start: false }),
    });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(await again.json()).toMatchObject({ id: ((await first.json()) as { id: string }).id, status: 'draft' });
  up.child.kill('SIGINT');
  expect(await up.ended).toMatchObject({ code: 130 });
});
