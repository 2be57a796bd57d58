import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient, onceUnder, ProblemError } from '../../src/client/index.ts';
import { type Served, served } from '../api/http.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(): Promise<Served> {
  const at = await served();
  closers.push(async () => expect(await at.close()).toBe(0));
  return at;
}

const ITEM = '/api/v1/work-items/{id}';

/** A server that answers by hand: what networks and proxies do cannot be asked of ours. */
async function handMade(answer: (response: ServerResponse, asked: number) => void): Promise<string> {
  let asked = 0;
  const server: Server = createServer((_request, response) => {
    asked += 1;
    answer(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** All that nothing holds is gone afterwards, as it is some time in every process that lives long enough. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('Memory cannot be collected here.');
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

describe('a request', () => {
  it('answers what the document says, with the version to send back', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const { data, etag } = await client.get(ITEM, { params: { path: { id: at.itemId } } });
    expect(data).toMatchObject({ id: at.itemId, goal: 'Make it so', status: 'deciding' });
    expect(etag).toBe(`"${data?.version}"`);
    const page = await client.get('/api/v1/work-items');
    expect(page.data?.items.map(({ id }) => id)).toEqual([at.itemId]);
  });

  it('answers a refusal as a value, with code, expectation, finding and what to do next', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const { data, problem } = await client.get(ITEM, { params: { path: { id: 'nobody' } } });
    expect(data).toBeUndefined();
    expect(problem).toMatchObject({ code: 'item_not_found', status: 404, next: 'GET /api/v1/work-items' });
  });

  it('takes effect once under a key, however often it is sent (D33)', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const body = { goal: 'Say hello', directory: at.rig.repo, start: false };
    const params = { header: onceUnder('hello-1') };
    const first = await client.post('/api/v1/work-items', { params, body });
    const again = await client.post('/api/v1/work-items', { params, body });
    expect([first.data?.id, first.problem]).toEqual([again.data?.id, undefined]);
    expect(onceUnder()).not.toEqual(onceUnder());
  });

  it('says that nothing was sent where nobody listens, and that nobody knows where the connection broke', async () => {
    const at = await serve();
    const url = await handMade(() => undefined);
    await closers.pop()?.();
    const gone = createClient({ url });
    expect((await gone.get('/api/v1/work-items')).problem).toMatchObject({ code: 'unreachable', status: 0 });
    const broken = createClient({ url: await handMade((response) => response.destroy()) });
    const path = { id: at.itemId };
    const said = await broken.post('/api/v1/work-items/{id}/stop', { params: { path }, body: {} });
    expect(said.problem).toMatchObject({ code: 'connection_lost', next: expect.stringContaining('Idempotency-Key') });
  });

  it('does not take the page of a proxy for an answer', async () => {
    const url = await handMade((response) =>
      response.writeHead(502, { 'retry-after': '7' }).end('<h1>Bad gateway</h1>'),
    );
    const { problem } = await createClient({ url }).get('/api/v1/work-items');
    expect(problem).toMatchObject({ code: 'unexpected_answer', status: 502, retryAfterSec: 7 });
  });

  it('sends files as they are, and gives back the bytes that it got', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const bytes = new TextEncoder().encode('Grüße {"no": "JSON"}\n');
    const query = { name: 'note.txt' };
    const sent = await client.post('/api/v1/attachments', { params: { query }, body: bytes });
    expect(sent).toMatchObject({ data: { name: 'note.txt', bytes: bytes.byteLength }, status: 201 });
    const path = { attachmentId: sent.data?.id ?? '' };
    const { data } = await client.get('/api/v1/attachments/{attachmentId}', { params: { path } });
    expect(new Uint8Array(data ?? new ArrayBuffer())).toEqual(bytes);
  });

  it('carries the token in a header, and through the fetch that it was given', async () => {
    const seen: (string | null)[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      seen.push(request.headers.get('authorization'));
      return Response.json({ items: [], counts: {} });
    };
    await createClient({ url: 'http://work.example', token: 'wc_a_b', fetch }).get('/api/v1/work-items');
    expect(seen).toEqual(['Bearer wc_a_b']);
  });
});

const event = (seq: number): string =>
  `event: event\nid: ${seq}\ndata: ${JSON.stringify({ seq, at: 0, body: { type: 'Tick' } })}\n\n`;

describe('following an item', () => {
  it('tells every event once and in order, and ends with the loop', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const stored = await at.store.events(at.itemId);
    const seen: number[] = [];
    for await (const { seq } of client.followItem(at.itemId)) {
      seen.push(seq);
      if (seq === stored.length) await at.post(`/api/v1/work-items/${at.itemId}/stop`, {});
      if (seq === stored.length + 2) break;
    }
    expect(seen).toEqual(Array.from({ length: stored.length + 2 }, (_, index) => index + 1));
  });

  it('goes on behind the last event after the connection broke, and leaves out what comes twice', async () => {
    const url = await handMade((response, asked) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 1\n\n');
      if (asked === 1) response.write(event(1) + event(2), () => response.destroy());
      else if (asked === 2) response.end(event(2) + event(3));
      else response.write(event(4));
    });
    const seen: number[] = [];
    for await (const { seq } of createClient({ url }).followItem('any')) {
      seen.push(seq);
      if (seq === 4) break;
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('opens a connection anew that gives no sign of life', async () => {
    const url = await handMade((response, asked) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(asked === 1 ? 'retry: 1\n\n' : event(1));
    });
    for await (const { seq } of createClient({ url }).followItem('any', { idleMs: 20 })) {
      expect(seq).toBe(1);
      break;
    }
  });

  it('hears live text beside the events, and stops at once with its signal', async () => {
    const url = await handMade((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: live\ndata: {"kind":"text","runId":"r","offset":0,"text":"Hel"}\n\n');
      response.write(event(1));
    });
    const heard: unknown[] = [];
    const stop = new AbortController();
    const live = (frame: unknown): void => void heard.push(frame);
    for await (const { seq } of createClient({ url }).followItem('any', { live, signal: stop.signal })) {
      expect(seq).toBe(1);
      stop.abort();
    }
    expect(heard).toMatchObject([{ event: 'live', data: { runId: 'r', text: 'Hel' } }]);
  });

  it('stops with its signal also after memory was collected', async () => {
    const url = await handMade((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(1));
    });
    const stop = new AbortController();
    const frames = createClient({ url }).followItem('any', { signal: stop.signal });
    expect((await frames.next()).value).toMatchObject({ seq: 1 });
    const next = frames.next();
    await collectGarbage();
    stop.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it('throws what stands: an item that is not there, a stream that was forgotten', async () => {
    const at = await serve();
    const first = createClient({ url: at.api.url }).followItem('nobody').next();
    await expect(first).rejects.toBeInstanceOf(ProblemError);
    await expect(first).rejects.toMatchObject({ problem: { code: 'item_not_found' } });
    const url = await handMade((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: reset\nid: 0\ndata: {}\n\n');
    });
    const forgotten = createClient({ url }).followItem('any', { after: 9 }).next();
    await expect(forgotten).rejects.toMatchObject({ problem: { code: 'stream_reset' } });
  });
});

describe('waiting for the end', () => {
  it('comes back when the item is over, and tells of every change in between', async () => {
    const at = await serve();
    const client = createClient({ url: at.api.url });
    const told: string[] = [];
    const waiting = client.waitForEnd(at.itemId, { changed: ({ status }) => void told.push(status) });
    await at.post(`/api/v1/work-items/${at.itemId}/stop`, {});
    const { data } = await waiting;
    expect(data?.status).toBe('cancelled');
    expect((await client.waitForEnd(at.itemId)).data?.status).toBe('cancelled');
    expect((await client.waitForEnd('nobody')).problem?.code).toBe('item_not_found');
  });

  it('keeps to the last that it read when the caller gives up', async () => {
    const at = await serve();
    const stop = AbortSignal.abort();
    const { data } = await createClient({ url: at.api.url }).waitForEnd(at.itemId, { signal: stop });
    expect(data?.status).toBe('deciding');
  });
});

describe('following everything', () => {
  it('begins with all, then tells of each item that changed', async () => {
    const at = await serve();
    const heard: unknown[] = [];
    const states: boolean[] = [];
    for await (const change of createClient({ url: at.api.url }).followFeed({ connected: (is) => states.push(is) })) {
      heard.push(change);
      if (change === 'all') await at.post(`/api/v1/work-items/${at.itemId}/stop`, {});
      else break;
    }
    expect(heard).toMatchObject(['all', { id: at.itemId }]);
    expect(states).toEqual([true]);
  });

  it('resumes where it stopped, and says all again only where the server forgot', async () => {
    const positions: (string | undefined)[] = [];
    const changed = (id: string, version: number) =>
      `event: item\nid: ${id}\ndata: {"id":"w","version":${version}}\n\n`;
    const ready = (id: string) => `retry: 1\nevent: ready\nid: ${id}\ndata: {}\n\n`;
    const url = await handMade((response, asked) => {
      positions.push(response.req.headers['last-event-id']?.toString());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (asked === 1) response.end(ready('s-1') + changed('s-2', 5));
      else if (asked === 2) response.end(ready('s-2') + changed('s-3', 6));
      else response.write('event: reset\nid: s-9\ndata: {}\n\n');
    });
    const heard: unknown[] = [];
    for await (const change of createClient({ url }).followFeed()) {
      heard.push(change === 'all' ? change : change.version);
      if (heard.length === 4) break;
    }
    expect(heard).toEqual(['all', 5, 6, 'all']);
    expect(positions).toEqual([undefined, 's-2', 's-3']);
  });
});
