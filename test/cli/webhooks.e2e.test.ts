import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outcome } from '../../src/cli/answer.ts';
import { webhook } from '../../src/cli/commands/webhook.ts';
import { openReceiver, type Receiver, signedHeaders } from '../webhooks/receiver.ts';
import { SHELL } from './support.ts';

let home: string;
let receiver: Receiver;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'wc-webhooks-'));
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await rm(home, { recursive: true, force: true });
});

const type = (args: readonly string[], options: Record<string, unknown> = {}): Promise<Outcome> => {
  const shell = { ...SHELL, cwd: home, env: { WORKCENTER_HOME: home }, now: Date.now };
  return webhook.run(shell, { args, options });
};

async function said<T>(args: readonly string[], options?: Record<string, unknown>) {
  const outcome = await type(args, options);
  if (outcome.type === 'failure') throw new Error(`${outcome.code}: ${outcome.message}`);
  return { ...outcome, json: outcome.json as T };
}

test('webhook add prints the secret once; ls, log and test never do', async () => {
  const { text, json } = await said<{ id: string; secret: string }>(['add', receiver.url], {
    events: ['item.done,item.held'],
  });
  const { id, secret } = json;
  expect(text).toContain(secret);
  expect(text).toContain('item.done, item.held');
  expect(text).toContain('http:');
  receiver.answers((response, n) => void response.writeHead(n === 0 ? 200 : 500).end(`answer ${n} ${secret}`));
  const accepted = await said(['test', id.slice(0, 6)]);
  const refused = await said(['test', id.slice(3)]);
  expect([accepted.exit, refused.exit]).toEqual([0, 3]);
  expect(accepted.text).toMatch(/webhook\.test +delivered.*\n.*answered 200 in \d+ ms: answer 0/);
  const [got] = receiver.received;
  if (!got) throw new Error('nothing came');
  new Verifier(secret).verify(got.body, signedHeaders(got));
  const log = await said<{ deliveries: unknown[] }>(['log', id]);
  expect(log.json.deliveries).toHaveLength(2);
  expect(log.text).toContain('answered 500');
  expect((await said(['log', id], { limit: '1' })).json).toMatchObject({ deliveries: [{}] });
  const ls = await said(['ls']);
  expect(ls.text).toMatch(new RegExp(`${id} +http.+done,held +active`));
  expect(JSON.stringify([accepted, refused, log, ls])).not.toContain(secret.slice(6));
});

test('a secret of one’s own comes from a file and is not printed', async () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  await writeFile(join(home, 'secret'), `${secret}\n`);
  const added = await said<{ id: string }>(['add', receiver.url], { secretFile: 'secret' });
  expect(JSON.stringify(added)).not.toContain(secret);
  await said(['test', added.json.id]);
  const [got] = receiver.received;
  if (!got) throw new Error('nothing came');
  new Verifier(secret).verify(got.body, signedHeaders(got));
});

test('what is removed is gone', async () => {
  const { json } = await said<{ id: string }>(['add', receiver.url]);
  await said(['rm', json.id]);
  expect((await said(['ls'])).text).toBe('There are no webhooks.');
  expect(await type(['rm', json.id])).toMatchObject({ code: 'webhook_not_found', exit: 4 });
});

test.each([
  ['an unknown verb', ['tell'], {}, 'usage', 2],
  ['no address', ['add'], {}, 'usage', 2],
  ['an address that cannot be told', ['add', 'ftp://example.org'], {}, 'invalid_webhook', 2],
  ['an event that is none', ['add', 'https://example.org/'], { events: ['item.all'] }, 'invalid_webhook', 2],
  ['a secret that is none', ['add', 'https://example.org/'], { secretFile: 'short' }, 'invalid_webhook', 2],
  ['a file that is not there', ['add', 'https://example.org/'], { secretFile: 'nowhere' }, 'file_unreadable', 4],
  ['an unknown webhook', ['test', 'wh_0'], {}, 'webhook_not_found', 4],
  ['nobody in particular', ['log', ''], {}, 'webhook_not_found', 4],
  ['an unknown delivery', ['retry', 'msg_0'], {}, 'delivery_not_found', 4],
  ['a length that is none', ['log', 'wh_0'], { limit: '0' }, 'invalid_option', 2],
])('webhook refuses %s and says what to do next', async (_what, args, options, code, exit) => {
  await writeFile(join(home, 'short'), 'whsec_c2hvcnQ=');
  expect(await type(args, options)).toMatchObject({
    type: 'failure',
    code,
    exit,
    expected: expect.stringMatching(/./),
  });
});
