import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UPLOAD_LIFE_MS } from '../../src/engine/attachments/uploads.ts';
import { collectGarbage } from '../../src/engine/on-demand/collect-garbage.ts';
import { type Served, served } from './http.ts';

let at: Served;
let now: number;
beforeEach(async () => {
  now = Date.now();
  at = await served({ serve: { now: () => now } });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const OCTETS = { 'content-type': 'application/octet-stream' };
const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding);

interface Kept {
  readonly id: string;
  readonly sha256: string;
}

const put = (query: string, body: string | Uint8Array, headers: Record<string, string> = OCTETS): Promise<Response> =>
  fetch(`${at.api.url}/api/v1/attachments?${query}`, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers,
  });
const kept = async (name: string, body: string | Uint8Array): Promise<Kept> =>
  (await (await put(`name=${name}`, body)).json()) as Kept;
const items = (rest: string) => `/api/v1/work-items/${at.itemId}${rest}`;
const say = (clientMessageId: string, ids: readonly string[]) => {
  const words = { target: { kind: 'coordinator' }, text: 'Look at this.', clientMessageId };
  return at.post(items('/messages'), { ...words, attachments: ids });
};

describe('a file that is sent', () => {
  it('is told with what its bytes are, and is read back as a download that nothing runs', async () => {
    const response = await put('name=shots%2Fa%20%22caf%C3%A9%22.png', PNG, { 'content-type': 'image/png' });
    expect(response.status).toBe(201);
    const upload = (await response.json()) as Kept;
    expect(upload).toMatchObject({
      name: 'a "café".png',
      mediaType: 'image/png',
      bytes: PNG.length,
      sha256: sha256(PNG),
    });
    const read = await at.get(response.headers.get('location') ?? '');
    expect(Buffer.from(await read.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="a _caf__.png"; filename*=UTF-8''a%20%22caf%C3%A9%22.png`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(PNG)}"`,
    });
    const page = await kept('page.html', '<script>alert(1)</script>');
    const shown = await at.get(`/api/v1/attachments/${page.id}`);
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    await shown.text();
  });

  it('is read in ranges', async () => {
    const { id, sha256: hash } = await kept('notes.txt', '0123456789');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await at.get(`/api/v1/attachments/${id}`, { range, ...more });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89']);
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', expect.stringContaining('range_not_satisfiable')]);
    expect(await part('bytes=1-2,4-5')).toEqual([200, null, '0123456789']);
    expect(await part('lines=1-2')).toEqual([200, null, '0123456789']);
    expect(await part('bytes=2-4', { 'if-range': '"another"' })).toEqual([200, null, '0123456789']);
    const known = await at.get(`/api/v1/attachments/${id}`, { 'if-none-match': `"${hash}"` });
    expect([known.status, await known.text()]).toEqual([304, '']);
  });

  it('is refused when its bytes are not what its name or its type says (chapter 4 §2.4)', async () => {
    const lies: readonly (readonly [string, string | Uint8Array, string])[] = [
      ['name=a.png', 'no picture', 'image/png'],
      ['name=a.txt', PNG, 'application/octet-stream'],
      ['name=a.png', PNG, 'image/jpeg'],
      ['name=a.txt', 'words', 'image/png'],
      ['name=a.txt', 'words', 'application/x-www-form-urlencoded'],
      ['name=a.bin', Buffer.from([0, 159, 146, 150]), 'application/octet-stream'],
    ];
    for (const [query, body, type] of lies) {
      const answer = await put(query, body, { 'content-type': type });
      expect([query, type, answer.status, await answer.json()]).toMatchObject([
        query,
        type,
        422,
        { code: 'attachment_type' },
      ]);
    }
    for (const name of ['..', '%2F', 'x'.repeat(300)])
      expect(await (await put(`name=${name}`, 'words')).json()).toMatchObject({ code: 'invalid_field' });
    expect((await put('', 'words')).status).toBe(400);
    expect(await at.store.listRecords('upload', { limit: 9 })).toEqual([]);
  });

  it('is refused when it did not arrive as it was sent', async () => {
    const digest = { ...OCTETS, 'content-digest': `sha-256=:${sha256(PNG, 'base64')}:` };
    expect((await put('name=a.png', PNG, digest)).status).toBe(201);
    expect((await put(`name=a.png&sha256=${sha256(PNG)}`, PNG)).status).toBe(201);
    for (const [query, headers] of [
      ['name=a.txt', digest],
      [`name=a.txt&sha256=${'0'.repeat(64)}`, OCTETS],
    ] as const) {
      const answer = await put(query, 'words', headers);
      expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'digest_mismatch' }]);
    }
    const odd = await put('name=a.txt', 'words', { ...OCTETS, 'content-digest': 'sha-256=x' });
    expect(await odd.json()).toMatchObject({ code: 'invalid_request' });
  });

  it('is counted while it comes, whatever it says of its length', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(97);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 64) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const answer = await fetch(`${at.api.url}/api/v1/attachments?name=a.txt`, {
      ...{ method: 'POST', headers: OCTETS, body, duplex: 'half' },
    } as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'attachment_limit' }]);
    expect(sent).toBeLessThan(64);
    expect((await put('name=a.txt', new Uint8Array(10 * 1024 * 1024).fill(97))).status).toBe(201);
  });
});

it('is forgotten when its sender goes away in the middle', async () => {
  const { port } = new URL(at.api.url);
  const headers = { ...OCTETS, 'content-length': '1000' };
  const path = '/api/v1/attachments?name=half.txt';
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.on('error', () => undefined);
  const gone = new Promise((done) => sent.once('close', done));
  await new Promise<void>((done) => sent.write('half of it', () => done()));
  sent.destroy();
  await gone;
  const { id } = await kept('whole.txt', 'all of it');
  expect(await at.store.listRecords('upload', { limit: 9 })).toMatchObject([{ id }]);
});

describe('a file that is named', () => {
  it('comes with the message, also again after a lost answer, and is downloaded from its item', async () => {
    const { id, sha256: hash } = await kept('notes.md', '# Notes');
    expect((await say('m-1', [id])).status).toBe(200);
    expect(await (await say('m-1', [id])).json()).toMatchObject({ attachments: [{ name: 'notes.md', hash }] });
    expect(await (await at.get(items('/conversation'))).json()).toMatchObject({
      entries: [{ attachments: [{ name: 'notes.md', mediaType: 'text/markdown', bytes: 7, hash }] }],
    });
    const file = await at.get(items(`/contents/${hash}`), { range: 'bytes=2-' });
    expect([file.status, file.headers.get('content-disposition'), await file.text()]).toEqual([
      ...[206, `attachment; filename="notes.md"; filename*=UTF-8''notes.md`],
      'Notes',
    ]);
  });

  it('comes with a goal', async () => {
    const { id, sha256: hash } = await kept('picture.png', PNG);
    const goal = { goal: 'Make it look like this', directory: at.rig.repo, attachments: [id] };
    const made = await at.post('/api/v1/work-items', goal);
    expect([made.status, await made.json()]).toMatchObject([201, { attachments: [{ name: 'picture.png', hash }] }]);
  });

  it('is refused when it is not there, or when it is too many for one item', async () => {
    expect(await (await say('m-1', ['f00'])).json()).toMatchObject({ code: 'attachment_expired', found: 'f00' });
    const ids = [];
    for (let n = 0; n < 11; n += 1) ids.push((await kept(`n${n}.txt`, `note ${n}`)).id);
    expect((await say('m-2', ids.slice(0, 10))).status).toBe(200);
    const answer = await say('m-3', ids.slice(10));
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'attachment_limit', found: '11' }]);
    expect((await say('m-2', ids.slice(0, 10))).status).toBe(200);
    expect((await at.store.load(at.itemId))?.messageCount).toBe(1);
  });

  it('expires after a day, and its bytes are cleaned up unless an item has them', async () => {
    const used = await kept('used.txt', 'used');
    const idle = await kept('idle.txt', 'idle');
    expect((await say('m-1', [used.id])).status).toBe(200);
    now += UPLOAD_LIFE_MS;
    expect(await (await say('m-2', [idle.id])).json()).toMatchObject({ code: 'attachment_expired' });
    const gone = await at.get(`/api/v1/attachments/${idle.id}`);
    expect(await gone.json()).toMatchObject({ code: 'attachment_not_found', status: 404 });
    const world = { ...at.world, now: () => now };
    const listed = await collectGarbage(world, { apply: false, olderThanMs: 0 });
    expect(listed.filter(({ what }) => what === 'upload')).toMatchObject([{ action: 'remove' }, { action: 'remove' }]);
    expect(await at.store.getContent(idle.sha256)).toBeDefined();
    await collectGarbage(world, { apply: true, olderThanMs: 0 });
    expect(await at.store.getContent(idle.sha256)).toBeUndefined();
    expect(await at.store.getContent(used.sha256)).toBeDefined();
    expect(await at.store.listRecords('upload', { limit: 9 })).toEqual([]);
  });
});
