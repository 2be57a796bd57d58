import { afterEach, beforeEach, expect, it } from 'vitest';
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
