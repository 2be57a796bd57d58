import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const item = (rest = '') => `/api/v1/work-items/${at.itemId}${rest}`;
const edit = (body: unknown, tag = '"1"', more: Record<string, string> = {}) =>
  at.patch(item('/contract'), body, { 'if-match': tag, ...more });
const answer = async (response: Promise<Response>): Promise<unknown> => (await response).json();

describe('the contract (D6, D20)', () => {
  it('is read with its version, and its parts can be sent back as they are', async () => {
    const response = await at.get(item('/contract'));
    expect(response.headers.get('etag')).toBe('"1"');
    const { version, directory, workspace, ...parts } = (await response.json()) as Record<string, unknown>;
    expect([version, directory, workspace]).toEqual([1, at.rig.repo, 'isolated']);
    expect(parts).toMatchObject({ goal: 'Make it so', instructions: null, setup: null, criteria: [{ id: 'c1' }] });
    expect(await answer(edit(parts))).toMatchObject({ code: 'nothing_changed', status: 409 });
  });

  it('changes the parts that were sent, keeps the others, and takes away what is null', async () => {
    const setup = { run: 'make deps', inputs: ['Makefile'] };
    const first = await edit({ instructions: 'Be kind.', setup, title: 'So' });
    expect(first.headers.get('etag')).toBe('"2"');
    expect(await first.json()).toMatchObject({
      ...{ version: 2, title: 'So', goal: 'Make it so', instructions: 'Be kind.' },
      setup: { ...setup, network: 'all', timeoutSec: 1_800 },
      criteria: [{ id: 'c1', text: 'Make it so' }],
    });
    const criteria = [{ text: 'It is so.', check: { run: 'test -f so', timeoutSec: 5, env: { A: 'b' } } }];
    const second = await answer(edit({ criteria, setup: null }, '"2"'));
    expect(second).toMatchObject({
      ...{ version: 3, instructions: 'Be kind.', setup: null },
      criteria: [{ id: 'c1', text: 'It is so.', minProof: 'machine', check: { run: 'test -f so', env: { A: 'b' } } }],
    });
    const { contract } = (await at.store.load(at.itemId)) ?? {};
    expect(contract).not.toHaveProperty('setup');
    // The engine counts: an edited criterion is one higher, and the set-up is behind every proof.
    expect(contract?.criteria.map(({ version }) => version)).toEqual([3]);
  });

  it('is not changed against a version that has moved on, or without one (FENCE-4)', async () => {
    expect((await edit({ title: 'First' })).status).toBe(200);
    const stale = await answer(edit({ title: 'Second' }));
    expect(stale).toMatchObject({ code: 'contract_version_stale', status: 409, found: '2' });
    for (const tag of ['1', '*', 'W/"2"', '"two"']) {
      expect(await answer(edit({ title: 'Second' }, tag)), tag).toMatchObject({ code: 'invalid_request', status: 400 });
    }
    expect((await at.patch(item('/contract'), { title: 'Second' })).status).toBe(400);
    expect((await at.store.load(at.itemId))?.contract.title).toBe('First');
  });

  it('is changed once for a key, however often it is sent (D14)', async () => {
    const key = { 'idempotency-key': 'k-1' };
    for (let times = 0; times < 2; times += 1) {
      expect(await answer(edit({ instructions: 'Be kind.' }, '"1"', key))).toMatchObject({ version: 2 });
    }
  });

  it('is not changed to one that breaks its rules', async () => {
    const twice = [
      { id: 'a', text: 'One.' },
      { id: 'a', text: 'Two.' },
    ];
    expect(await answer(edit({ criteria: twice }))).toMatchObject({ code: 'invalid_contract', status: 422 });
    for (const body of [{ criteria: [] }, { goal: null }, { directory: '/' }, { goal: '' }]) {
      expect((await edit(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(await answer(at.get('/api/v1/work-items/nobody/contract'))).toMatchObject({ code: 'item_not_found' });
  });
});

describe('limits (D28)', () => {
  it('are added to against the control version that was read', async () => {
    const body = { controlVersion: 1, tokens: 5_000, attempts: 1 };
    const said = await answer(at.post(item('/extend'), body));
    expect(said).toMatchObject({
      controlVersion: 2,
      limits: { tokens: 20_005_000, attempts: 4, attemptsExtension: 1 },
    });
    expect(await answer(at.post(item('/extend'), body))).toMatchObject({ code: 'control_version_stale', status: 409 });
    const nothing = await answer(at.post(item('/extend'), { controlVersion: 2 }));
    expect(nothing).toMatchObject({ code: 'invalid_field', status: 422 });
    for (const tokens of [0, -1, 1.5, '5']) {
      expect((await at.post(item('/extend'), { controlVersion: 2, tokens })).status, `${tokens}`).toBe(400);
    }
  });
});
