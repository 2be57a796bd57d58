import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/api/access/scopes.ts';
import { addToken } from '../../src/api/access/token-records.ts';
import { create } from '../store/items.ts';
import { type Served, served } from './http.ts';

let at: Served;
let now: number;
beforeEach(async () => {
  now = 1_800_000_000_000;
  at = await served({ serve: { now: () => now } });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const TOKENS = '/api/v1/tokens';

async function holder(scopes: Scope[], authority: 'user' | 'agent'): Promise<Record<string, string>> {
  const name = `${scopes} ${authority}`;
  const { minted } = await addToken(at.store, { name, scopes, authority, expiresAt: null }, now);
  return { authorization: `Bearer ${minted.token}` };
}

const bodyOf = async (response: Response): Promise<object> => ({
  status: response.status,
  ...((await response.json()) as object),
});

describe('tokens over HTTP', () => {
  it('are made by the person at this machine, shown once, and let in until they are revoked', async () => {
    const made = (await bodyOf(await at.post(TOKENS, { name: 'phone', scopes: ['operate'], expiresInSec: 60 }))) as {
      readonly id: string;
      readonly token: string;
    };
    expect(made).toMatchObject({ status: 201, name: 'phone', state: 'valid', authority: 'user' });
    const listed = await (await at.get(TOKENS)).text();
    expect(JSON.parse(listed)).toMatchObject({ mayAdd: true, tokens: [{ id: made.id, lastUsedAt: null }] });
    expect(listed).not.toContain(made.token.slice(-43));
    const headers = { authorization: `Bearer ${made.token}` };
    expect((await at.get('/api/v1/work-items', headers)).status).toBe(200);
    expect(await bodyOf(await at.post(`${TOKENS}/${made.id}/revoke`, {}))).toMatchObject({ state: 'revoked' });
    expect((await at.get('/api/v1/work-items', headers)).status).toBe(401);
    expect(await bodyOf(await at.post(`${TOKENS}/none/revoke`, {}))).toMatchObject({ code: 'token_not_found' });
  });

  it('have a name of their own', async () => {
    expect((await at.post(TOKENS, { name: 'phone' })).status).toBe(201);
    expect(await bodyOf(await at.post(TOKENS, { name: 'phone' }))).toMatchObject({
      status: 409,
      code: 'token_name_taken',
    });
    expect(await bodyOf(await at.post(TOKENS, { name: ' ' }))).toMatchObject({ status: 422, code: 'invalid_field' });
  });

  it('are made by no token, and neither listed nor revoked without admin and the word of a person', async () => {
    const admin = await holder(['admin'], 'user');
    expect(await bodyOf(await at.get(TOKENS, admin))).toMatchObject({ status: 200, mayAdd: false });
    expect(await bodyOf(await at.post(TOKENS, { name: 'more' }, admin))).toMatchObject({ code: 'user_required' });
    const agent = await holder(['admin'], 'agent');
    const small = await holder(['operate', 'create'], 'user');
    for (const [headers, code] of [
      [agent, 'user_required'],
      [small, 'scope_too_small'],
    ] as const) {
      expect(await bodyOf(await at.get(TOKENS, headers))).toMatchObject({ status: 403, code });
      expect(await bodyOf(await at.post(TOKENS, { name: 'more' }, headers))).toMatchObject({ status: 403, code });
      expect(await bodyOf(await at.post(`${TOKENS}/x/revoke`, {}, headers))).toMatchObject({ status: 403, code });
      for (const path of ['/api/v1/disk', '/api/v1/workers', '/api/v1/enforcement'])
        expect(await bodyOf(await at.get(path, headers)), path).toMatchObject({ status: 403, code });
      expect(await bodyOf(await at.post('/api/v1/disk/reclaim', {}, headers))).toMatchObject({ status: 403, code });
    }
  });
});

it('tells which engines there are, and which of them were heard of', async () => {
  const { worker } = at.world;
  await at.store.heartbeat(worker);
  const told = (await bodyOf(await at.get('/api/v1/workers'))) as { readonly workers: readonly unknown[] };
  expect(told).toMatchObject({ status: 200, version: 'test' });
  expect(told.workers[0]).toMatchObject({ owner: worker.owner, pid: worker.pid, kind: 'server' });
});

it('tells what is enforced, and what to do where it is not', async () => {
  expect(await bodyOf(await at.get('/api/v1/enforcement'))).toMatchObject({
    status: 200,
    sandbox: expect.any(String),
    filesystem: expect.any(Boolean),
    checks: expect.arrayContaining([expect.objectContaining({ what: 'git', grade: 'ok', next: null })]),
  });
});

it('tells what an item holds, and reclaims it only when the item has ended long enough ago', async () => {
  const user = { kind: 'user', name: 'ada' } as const;
  await at.store.execute(create('wa'));
  const workspace = at.world.home.workspace('wa', 'main');
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, 'big.txt'), 'x'.repeat(10_000));
  const item = { itemId: 'wa', bytes: expect.any(Number), why: 'item wa is open', reclaimable: 0 };
  expect(await bodyOf(await at.get('/api/v1/disk'))).toMatchObject({ items: [item], reclaimable: 0, count: 1 });
  await at.store.execute({ itemId: 'wa', principal: user, body: { type: 'StopItem', reason: 'enough' } });
  const spared = await bodyOf(await at.post('/api/v1/disk/reclaim', {}));
  expect(spared).toMatchObject({ items: [{ itemId: 'wa', reclaimable: 0 }], olderThanSec: 604_800 });
  const gone = (await bodyOf(await at.post('/api/v1/disk/reclaim', { olderThanSec: 0 }))) as { reclaimable: number };
  expect(gone.reclaimable).toBeGreaterThanOrEqual(10_000);
  expect(await bodyOf(await at.get('/api/v1/disk'))).toMatchObject({ items: [], reclaimable: 0 });
});
