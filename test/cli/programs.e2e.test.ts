import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { call, newClient } from '../api/mcp-bench.ts';
import { openReceiver, signedHeaders } from '../webhooks/receiver.ts';
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

test('workcenter up lets nobody else in without a token, and whoever brings that of its file', async () => {
  const program = await install();
  const none = await program.json(['up', '--port', '0', '--host', '0.0.0.0']);
  expect([none.code, none.data]).toMatchObject([3, { error: { code: 'token_missing' } }]);
  const path = join(program.root, 'token');
  const up = program.start(['up', '--port', '0', '--require-token', '--token-file', path]);
  await up.says('openapi.json');
  const [, url = ''] = /HTTP: (\S+) \(this machine only, with a token;/.exec(up.said()) ?? [];
  const token = (await readFile(path, 'utf8')).trim();
  const statusOf = async (authorization?: string) =>
    (await fetch(`${url}/work-items`, { headers: authorization === undefined ? {} : { authorization } })).status;
  expect([await statusOf(), await statusOf(`Bearer ${token}`), await statusOf('Bearer x')]).toEqual([401, 200, 401]);
  const made = await program.json(['token', 'add', 'phone']);
  expect(await statusOf(`Bearer ${(made.data as { readonly token: string }).token}`)).toBe(200);
  await program.run(['token', 'revoke', 'phone']);
  expect(await statusOf(`Bearer ${(made.data as { readonly token: string }).token}`)).toBe(401);
  up.child.kill('SIGINT');
  expect(await up.ended).toMatchObject({ code: 130 });
  expect(up.said()).not.toContain(token);
});

test('workcenter up tells a webhook that an item is done, also what was left when it ended before', async () => {
  const program = await install();
  const receiver = await openReceiver();
  const added = await program.json(['webhook', 'add', receiver.url]);
  const { secret, id } = added.data as { secret: string; id: string };
  const plan = `goal: a is there
criteria: [{ id: c1, text: a is there, check: { run: test -f a.txt } }]
delivery: { target: workspace_files }
actions: [{ id: make, run: echo a > a.txt, for: [c1] }]
`;
  const file = await program.write('plan.yaml', plan);
  const repo = await program.repository({ 'README.md': 'A project.\n' });
  expect((await program.run(['run', file, '--repo', repo])).code).toBe(0);
  expect(receiver.received).toEqual([]);
  const up = await program.run(['up', '--until-idle']);
  expect(up).toMatchObject({ code: 0 });
  const verifier = new Verifier(secret);
  const told = receiver.received.map((each) => verifier.verify(each.body, signedHeaders(each)));
  expect(told).toMatchObject([
    { type: 'item.done', data: { proven: 1, total: 1, result: { branch: expect.any(String) } } },
  ]);
  const { out } = await program.run(['webhook', 'log', id]);
  expect(`${up.out}${up.err}${out}`).not.toContain(secret.slice(6));
  expect(out).toContain('delivered');
  await receiver.close();
});
