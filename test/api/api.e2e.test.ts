import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEvents, type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const item = (rest = '') => `/api/v1/work-items/${at.itemId}${rest}`;
const say = (text: string, clientMessageId: string) =>
  at.post(item('/messages'), { target: { kind: 'coordinator' }, text, clientMessageId });

describe('reading (D33)', () => {
  it('lists items with the number in each lane, and says what an item is and may', async () => {
    const page = await (await at.get('/api/v1/work-items?lane=active')).json();
    expect(page).toMatchObject({ items: [{ id: at.itemId, proven: 0, total: 1 }], counts: { active: 1, done: 0 } });
    const response = await at.get(item());
    expect(response.headers.get('etag')).toBe('"2"');
    expect(await response.json()).toMatchObject({
      ...{ id: at.itemId, status: 'deciding', contractVersion: 1 },
      criteria: [{ id: 'c1', standing: 'unmet', proof: null }],
      can: { stop: { allowed: true }, start: { allowed: false, reason: 'It was started before.' } },
    });
  });

  it('refuses with a problem document and the code that every surface uses', async () => {
    const response = await at.get('/api/v1/work-items/nobody');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'item_not_found', status: 404 });
    for (const path of ['/api/v1/work-items?limit=0', '/api/v1/work-items?lane=all']) {
      expect(await (await at.get(path)).json(), path).toMatchObject({ code: 'invalid_request', status: 400 });
    }
    expect(await (await at.get('/api/v1/nothing')).json()).toMatchObject({ code: 'route_not_found' });
  });

  it('describes itself', async () => {
    expect(await (await at.get('/openapi.json')).json()).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v1/work-items/{id}/messages': { post: { summary: expect.stringContaining('Coordinator') } } },
    });
    expect(await (await at.get('/healthz')).json()).toEqual({ ok: true, version: 'test' });
  });
});

describe('changing', () => {
  it('posts a message once, however often it is sent (D14)', async () => {
    for (let times = 0; times < 3; times += 1) expect((await say('Use blue.', 'm-1')).status).toBe(200);
    expect(await (await at.get(item('/conversation'))).json()).toMatchObject({
      entries: [{ author: 'person', text: 'Use blue.', delivery: 'queued' }],
    });
    expect(await (await say('Use red.', 'm-1')).json()).toMatchObject({ code: 'idempotency_mismatch', status: 422 });
  });

  it('stops and reopens, and says why something cannot be done now', async () => {
    expect(await (await at.post(item('/start'), {})).json()).toMatchObject({ code: 'wrong_state', status: 409 });
    expect(await (await at.post(item('/stop'), {})).json()).toMatchObject({ status: 'cancelled' });
    expect(await (await say('Hello?', 'm-1')).json()).toMatchObject({ code: 'item_ended' });
    expect(await (await at.post(item('/reopen'), {})).json()).toMatchObject({ status: 'deciding' });
  });

  it('reads no body that is no JSON, or has a field too many', async () => {
    const cases: readonly unknown[] = ['{', '[]', { target: { kind: 'nobody' } }];
    for (const body of cases) {
      const response = await at.post(item('/messages'), body);
      expect(await response.json()).toMatchObject({ code: 'invalid_request', status: 400 });
    }
    const extra = { target: { kind: 'coordinator' }, text: 'x', clientMessageId: 'm', principal: 'root' };
    expect((await at.post(item('/messages'), extra)).status).toBe(400);
    const long = await (await say('x'.repeat(400_000), 'm-2')).json();
    expect(long).toMatchObject({ code: 'invalid_field', next: 'Attach it as a file (--attach FILE).' });
    expect((await at.store.load(at.itemId))?.version).toBe(2);
  });
});

describe('live events', () => {
  it('come in order, each once, and go on where a client stopped', async () => {
    const first = await readEvents(await at.get(item('/stream')), 2);
    expect(first.map(({ id }) => id)).toEqual(['1', '2']);
    const stream = await at.get(item('/stream'), { 'last-event-id': '2' });
    await say('One.', 'm-1');
    await say('Two.', 'm-2');
    const next = await readEvents(stream, 2);
    expect(next.map(({ id, data }) => [id, JSON.parse(data).body.message.text])).toEqual([
      ['3', 'One.'],
      ['4', 'Two.'],
    ]);
    expect((await at.get(item('/stream'), { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('tell in the feed which item is at which version', async () => {
    const feed = await at.get('/api/v1/feed');
    const read = readEvents(feed, 2);
    await say('One.', 'm-1');
    const [, changed] = await read;
    expect(JSON.parse(changed?.data ?? '')).toEqual({ id: at.itemId, version: 3 });
  });
});

describe('a body', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ])('that says it is %j is refused everywhere, and nothing changes', async (type) => {
    const paths = ['/api/v1/work-items', item('/stop'), item('/messages'), item('/extend')];
    for (const path of paths) {
      for (const body of ['{}', 'x', '']) {
        const sent = await at.post(path, body, { 'content-type': type });
        expect([sent.status, await sent.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
      }
    }
    const patched = await at.patch(item('/contract'), '{"goal":"other"}', { 'content-type': type });
    expect(patched.status).toBe(415);
    expect(await at.store.load(at.itemId)).toMatchObject({ version: 2, lifecycle: 'open' });
  });

  it.each(['', 'x', '[]', 'null', '"{}"'])('that is %j is refused where one is needed', async (body) => {
    for (const path of ['/api/v1/work-items', item('/messages'), item('/extend')]) {
      const sent = await at.post(path, body);
      expect([path, sent.status, await sent.json()]).toMatchObject([path, 400, { code: 'invalid_request' }]);
    }
  });
});

describe('who may speak to it', () => {
  /** `fetch` sets these headers itself. */
  const asked = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(at.api.url);
      const options = { host: '127.0.0.1', port, path: item('/stop'), method: 'POST' };
      const sent = request({ ...options, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      sent.end('{}');
    });

  it('refuses a name that was made to point here, and pages of other sites', async () => {
    const { host } = new URL(at.api.url);
    expect(await asked({ host: 'evil.example:80' })).toBe(403);
    expect(await asked({ host, origin: 'http://evil.example' })).toBe(403);
    expect(await asked({ host, origin: 'null' })).toBe(403);
    expect(await asked({ host, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect((await at.store.load(at.itemId))?.lifecycle).toBe('open');
    expect(await asked({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });
});
