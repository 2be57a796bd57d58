import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const ITEMS = '/api/v1/work-items';
const wish = (more: object = {}) => ({ goal: 'Write hello.txt\nin English', directory: at.rig.repo, ...more });
const itemOf = async (response: Response) => (await response.json()) as { readonly id: string };
const count = async (): Promise<number> => (await at.store.list({ limit: 100 })).items.length;

describe('creating an item (D1)', () => {
  it('makes the goal its own criterion where nothing else is said, and answers where the item is', async () => {
    const response = await at.post(ITEMS, wish());
    expect(response.status).toBe(201);
    const item = await itemOf(response);
    expect(response.headers.get('location')).toBe(`${ITEMS}/${item.id}`);
    expect(item).toMatchObject({
      ...{ status: 'deciding', title: 'Write hello.txt', plan: 'coordinated', directory: at.rig.repo },
      criteria: [{ id: 'c1', text: 'Write hello.txt\nin English', minProof: 'self' }],
      delivery: { target: 'workspace_files' },
    });
  });

  it('takes every part of a contract, limits, origin and background (D37), and keeps a draft', async () => {
    const origin = { client: 'chat', sessionId: 's1' };
    const background = [{ role: 'user', text: 'We spoke of greetings.' }];
    const body = wish({
      ...{ title: 'Greeting', instructions: 'Be kind.', setup: 'npm ci', start: false, origin, background },
      criteria: [
        { text: 'It greets.', check: 'test -f hello.txt' },
        { id: 'kind', text: 'It is kind.' },
      ],
      ...{ delivery: { target: 'merge' }, limits: { tokens: 5_000, costMicros: 1_000_000 } },
    });
    const item = await itemOf(await at.post(ITEMS, body));
    expect(item).toMatchObject({
      ...{ status: 'draft', title: 'Greeting', delivery: { target: 'merge', branch: 'main' } },
      limits: { tokens: 5_000, costMicros: 1_000_000, requests: 1_000 },
      criteria: [
        { id: 'c1', check: 'test -f hello.txt', minProof: 'machine' },
        { id: 'kind', check: null },
      ],
    });
    expect(await at.store.load(item.id)).toMatchObject({
      ...{ origin, background },
      contract: { instructions: 'Be kind.', setup: { run: 'npm ci', inputs: [], network: 'all' } },
    });
  });

  it('creates once for a key, however often it is sent (D14)', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const first = await at.post(ITEMS, wish(), key);
    const again = await at.post(ITEMS, wish(), key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect((await itemOf(again)).id).toBe((await itemOf(first)).id);
    const other = await at.post(ITEMS, wish({ title: 'Another' }), key);
    expect(await other.json()).toMatchObject({ code: 'idempotency_mismatch', status: 422 });
    expect(await count()).toBe(2);
  });

  it('takes its limits from the settings where the body names none', async () => {
    await at.store.writeSettings(0, { limits: { requests: 7 } });
    expect(await (await at.post(ITEMS, wish())).json()).toMatchObject({ limits: { requests: 7 } });
  });

  it('refuses what cannot become an item, and leaves nothing behind', async () => {
    const refused: readonly (readonly [object, number, string])[] = [
      [{}, 400, 'invalid_request'],
      [wish({ directory: 'relative' }), 400, 'invalid_request'],
      [wish({ priority: 1 }), 400, 'invalid_request'],
      [wish({ limits: { tokens: 0 } }), 400, 'invalid_request'],
      [wish({ goal: 'x'.repeat(8_001) }), 400, 'invalid_request'],
      [wish({ goal: 'x'.repeat(3_000) }), 422, 'invalid_contract'],
      [wish({ directory: join(at.rig.root, 'nowhere') }), 422, 'invalid_field'],
      [wish({ criteria: [{ text: 'It is.', minProof: 'machine' }] }), 422, 'invalid_contract'],
    ];
    for (const [body, status, code] of refused) {
      const response = await at.post(ITEMS, body);
      expect(await response.json(), JSON.stringify(body).slice(0, 80)).toMatchObject({ status, code });
    }
    await writeFile(join(at.rig.repo, 'README.md'), 'Changed.\n');
    expect(await (await at.post(ITEMS, wish())).json()).toMatchObject({ code: 'uncommitted_work', status: 422 });
    expect((await at.post(ITEMS, wish({ dirty: 'snapshot' }))).status).toBe(201);
    expect(await count()).toBe(2);
  });
});

it('says so where the server creates nothing', async () => {
  const bare = await served({ creates: false });
  const response = await bare.post(ITEMS, { goal: 'Anything', directory: bare.rig.repo });
  expect(await response.json()).toMatchObject({ code: 'cannot_create', status: 409 });
  expect(await bare.close()).toBe(0);
});
