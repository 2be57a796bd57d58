import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionSpec, claim, create, dispatch, outcomeOf, settle } from '../store/items.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

interface Sent {
  readonly method?: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends it, and tears the connection down in the moment of its commit: the answer never comes. */
function lose({ method = 'POST', path, body, headers = {} }: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${at.api.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const silence = at.store.onCommit(() => sent.destroy());
    sent.on('response', () => reject(new Error('It was answered.')));
    sent
      .on('error', () => undefined)
      .on('close', () => {
        silence();
        resolve();
      });
    sent.end(JSON.stringify(body));
  });
}

const again = async ({ method = 'POST', path, body, headers = {} }: Sent) => {
  const response = await (method === 'POST' ? at.post : at.patch)(path, body, headers);
  return { status: response.status, body: (await response.json()) as { readonly id: string; readonly code?: string } };
};

const versionOf = async (id: string) => (await at.store.load(id))?.version;
const count = async () => (await at.store.list({ limit: 100 })).items.length;
const item = (rest: string, id = at.itemId) => `/api/v1/work-items/${id}${rest}`;

/** The answer was lost; asked again, and once more, it comes, and nothing happens twice. */
async function happensOnce(sent: Sent, id = at.itemId): Promise<void> {
  const before = await versionOf(id);
  await lose(sent);
  const version = await versionOf(id);
  expect(version).toBeGreaterThan(before ?? 0);
  const first = await again(sent);
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(await again(sent)).toEqual(first);
  expect(await versionOf(id)).toBe(version);
}

describe('an answer that was lost after the commit', () => {
  it('comes when the item is asked for again under its key, also when its directory has moved on (D14)', async () => {
    const body = { goal: 'Write hello.txt', directory: at.rig.repo };
    const sent = { path: '/api/v1/work-items', body, headers: { 'idempotency-key': 'k-1' } };
    await lose(sent);
    expect(await count()).toBe(2);
    const first = await again(sent);
    expect(first).toMatchObject({ status: 200, body: { title: 'Write hello.txt' } });
    await writeFile(join(at.rig.repo, 'README.md'), 'Somebody works here by now.\n');
    await at.rig.git('checkout', '-q', '-b', 'other');
    expect(await again(sent)).toEqual(first);
    expect(await count()).toBe(2);
    const elsewhere = { ...sent, body: { ...body, directory: at.rig.root } };
    expect((await again(elsewhere)).body.code).not.toBe(undefined);
    expect(await count()).toBe(2);
  });

  it('comes to a message under its own id, which counts once', async () => {
    const body = { target: { kind: 'coordinator' }, text: 'Be kind.', clientMessageId: 'm-1' };
    await happensOnce({ path: item('/messages'), body });
    expect((await at.store.entries(at.itemId)).map(({ text }) => text)).toEqual(['Be kind.']);
  });

  it('comes to the answer of a request, which is answered once', async () => {
    const failed = outcomeOf({ kind: 'failed', code: 'broken', error: 'It broke.' });
    const actions = [{ id: 'a1', spec: actionSpec('a1') }];
    for (const command of [create('w1', { actions }), claim('w1', 'r'), dispatch('w1', 'r'), settle('w1', 'r', failed)])
      expect(await at.store.execute(command)).not.toHaveProperty('code');
    const body = { choice: 'retry' };
    const headers = { 'idempotency-key': 'k-1' };
    await happensOnce({ path: item('/requests/r1/resolution', 'w1'), body, headers }, 'w1');
    expect((await again({ path: item('/requests/r1/resolution', 'w1'), body })).status).toBe(404);
  });

  it('comes to an extension, which is added once', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    await happensOnce({ path: item('/extend'), body: { controlVersion: 1, requests: 5 }, headers });
    expect((await at.store.load(at.itemId))?.limits.requests).toBe(1_005);
  });

  it('comes to an edit of the contract, also when somebody edited another part meanwhile', async () => {
    const headers = { 'if-match': '"1"', 'idempotency-key': 'k-1' };
    const sent = { method: 'PATCH', path: item('/contract'), body: { instructions: 'Be kind.' }, headers } as const;
    await happensOnce(sent);
    const other = await at.patch(item('/contract'), { title: 'So' }, { 'if-match': '"2"' });
    expect(other.status).toBe(200);
    const later = await again(sent);
    expect(later).toMatchObject({ status: 200, body: { version: 3, title: 'So', instructions: 'Be kind.' } });
    const different = await again({ ...sent, body: { instructions: 'Be quick.' } });
    expect(different).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    expect((await at.store.load(at.itemId))?.contract).toMatchObject({ title: 'So', instructions: 'Be kind.' });
  });
});
