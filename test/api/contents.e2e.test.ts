import { appendFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { remoteOutput } from '../../src/cli/server/remote-output.ts';
import { createClient } from '../../src/client/index.ts';
import type { Command, Receipt } from '../../src/core/index.ts';
import { claim, completed, create, dispatch, outcomeOf, settle } from '../store/items.ts';
import { AGENT, agentItem, call, responded, runFence } from '../store/talk-items.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

async function does(...commands: readonly Command[]): Promise<void> {
  for (const each of commands) {
    const said = await at.store.execute(each);
    if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
  }
}

const put = async (body: string | Uint8Array): Promise<string> => (await at.store.putContent(body)).hash;
const read = (itemId: string, hash: string) => at.get(`/api/v1/work-items/${itemId}/contents/${hash}`);

/** An item whose agent was asked, answered, and was checked; everything that it names is stored. */
async function carried() {
  const [log, diffHash, systemHash, answer] = await Promise.all(
    ['all green\n', '+ a line\n', 'You are careful.', Buffer.from([0, 1, 2])].map(put),
  );
  const receipt = {
    ...{ criterionId: 'c1', criterionVersion: 1, verdict: 'passed', command: 'npm test', at: 'c'.repeat(40) },
    ...{ exitCode: 0, durationMs: 12, flags: [], changed: [], engine: 'test', diffHash },
    log: { hash: log, bytes: 10, tail: 'green' },
  } as Receipt;
  const agent = {
    ...{ vp: 'implementer', vpHash: '1', model: 'scripted/one', tools: ['read'], policyHash: '2', systemHash },
    ...{ contextHash: 'e'.repeat(64), omitted: [], contractVersion: 1 },
  };
  const sent = dispatch('w1', 'run-1');
  const asked = call('w1', runFence('run-1'), 'k1');
  await does(
    agentItem('w1', { actions: [{ id: 'a1', spec: AGENT }] }),
    claim('w1', 'run-1'),
    { ...sent, body: { ...sent.body, agent } as Command['body'] },
    ...[asked.prepare, asked.dispatch, asked.settle({ ...responded(), responseHash: answer } as never)],
    settle('w1', 'run-1', { ...outcomeOf(completed([])), receipts: [receipt] } as ReturnType<typeof outcomeOf>),
  );
  return { log, diffHash, systemHash, answer };
}

it('tells what an item names by hash: logs, diffs, prompts, answers of models', async () => {
  const { log, diffHash, systemHash, answer } = await carried();
  const texts = { [log ?? '']: 'all green\n', [diffHash ?? '']: '+ a line\n', [systemHash ?? '']: 'You are careful.' };
  for (const [hash, text] of Object.entries(texts)) {
    const found = await read('w1', hash);
    expect([found.status, await found.text()]).toEqual([200, text]);
    expect(found.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(found.headers.get('x-content-type-options')).toBe('nosniff');
  }
  const bytes = await read('w1', answer ?? '');
  expect([bytes.headers.get('content-type'), [...new Uint8Array(await bytes.arrayBuffer())]]).toEqual([
    ...['application/octet-stream', [0, 1, 2]],
  ]);
});

it('shows nobody what another item names, nor what no item does', async () => {
  const { log } = await carried();
  const loose = await put('a secret of somebody else');
  await does(create('w2'));
  for (const [id, hash] of [
    ['w2', log ?? ''],
    ['w1', loose],
    ['w1', 'e'.repeat(64)],
  ] as const) {
    const answer = await read(id, hash);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'content_not_found' }]);
  }
  expect(await (await read('nobody', loose)).json()).toMatchObject({ code: 'item_not_found' });
  for (const odd of ['..', `${loose.slice(0, 62)}..`, loose.toUpperCase(), 'x'])
    expect((await read('w1', encodeURIComponent(odd))).status, odd).toBeGreaterThanOrEqual(400);
});

it('tells what a Run prints, by ranges, while it grows and when it has ended; a server elsewhere is read so', async () => {
  await does(create('w1'), claim('w1', 'run-1'), dispatch('w1', 'run-1'));
  const printed = (range?: string) =>
    at.get('/api/v1/work-items/w1/actions/a1/runs/run-1/output', range === undefined ? {} : { range });
  expect(await (await printed()).json()).toMatchObject({ status: 404, code: 'content_not_found' });
  const log = join(at.world.home.run('run-1'), 'output.log');
  await mkdir(at.world.home.run('run-1'), { recursive: true });
  await appendFile(log, '');
  expect([await (await printed()).text(), (await printed('bytes=0-9')).status]).toEqual(['', 416]);
  await appendFile(log, 'one\nzwölf\n');
  const whole = await printed();
  expect([whole.status, await whole.text(), whole.headers.get('accept-ranges')]).toEqual([
    200,
    'one\nzwölf\n',
    'bytes',
  ]);
  const etag = whole.headers.get('etag') ?? '';
  await appendFile(log, 'three\n');
  const last = await printed('bytes=-6');
  expect([last.status, await last.text(), last.headers.get('content-range')]).toEqual([
    ...[206, 'three\n', 'bytes 11-16/17'],
  ]);
  expect(last.headers.get('etag')).not.toBe(etag);
  await does(settle('w1', 'run-1'));

  const server = { client: createClient({ url: at.api.url }), isRemote: true };
  const run = { itemId: 'w1', actionId: 'a1', runId: 'run-1' };
  // Seven bytes end in the middle of a letter.
  const first = await remoteOutput(server, run, 0, 7);
  expect(first).toEqual({ text: 'one\nzw', next: 6 });
  expect(await remoteOutput(server, run, 6, 100)).toEqual({ text: 'ölf\nthree\n', next: 17 });
  expect(await remoteOutput(server, run, 17, 100)).toEqual({ text: '', next: 17 });
  expect(await remoteOutput(server, { ...run, runId: 'run-2' }, 0, 100)).toBeUndefined();
});

it('opens what Runs print only as theirs, and follows no link there', async () => {
  await does(create('w1'), claim('w1', 'run-1'), create('w2'));
  await mkdir(at.world.home.run('run-1'), { recursive: true });
  await symlink('/etc/passwd', join(at.world.home.run('run-1'), 'output.log'));
  for (const [place, code] of [
    ['w1/actions/a1/runs/run-1', 'content_not_found'],
    ['w1/actions/a2/runs/run-1', 'run_not_found'],
    ['w2/actions/a1/runs/run-1', 'run_not_found'],
    ['w1/actions/a1/runs/..', 'route_not_found'],
    ['w1/actions/a1/runs/%2e%2e%2f%2e%2e', 'run_not_found'],
  ] as const) {
    const answer = await at.get(`/api/v1/work-items/${place}/output`);
    expect([answer.status, await answer.json()], place).toMatchObject([404, { code }]);
  }
});
