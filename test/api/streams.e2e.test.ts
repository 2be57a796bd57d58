import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccess } from '../../src/api/access/access.ts';
import { addToken, revokeToken } from '../../src/api/access/token-records.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { LiveSource } from '../../src/engine/live/live-text.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { emptyTables } from '../../src/store/memory/tables.ts';
import { until } from '../support/until.ts';
import { edit, frameReader, type LiveApi, makeItem, openLiveApi } from './live-api.ts';

let at: LiveApi;
afterEach(async () => {
  expect(at.failures).toEqual([]);
  await at.close();
});

const opened = async (options: Partial<ApiDeps> = {}): Promise<LiveApi> => {
  at = openLiveApi(options);
  await makeItem(at.store, 'i1');
  return at;
};

const stream = async (headers: Record<string, string> = {}, item = 'i1') =>
  frameReader(await at.ask(`/work-items/${item}/stream`, headers));
const feed = async (lastId?: string) => frameReader(await at.ask('/feed', lastId ? { 'last-event-id': lastId } : {}));

const ids = (frames: readonly { readonly id?: string | undefined }[]) => frames.map(({ id }) => id);
const RUN: LiveSource = { kind: 'output', runId: 'r1', actionId: 'a1' };

describe('the stream of an item (D33)', () => {
  it('goes on behind what the client has, whichever process commits', async () => {
    await opened();
    const live = await stream({ 'last-event-id': '1' });
    expect(ids(await live.take(1))).toEqual(['2']);
    await edit(at.store, 'i1', 1);
    expect(ids(await live.take(1))).toEqual(['3']);
    await edit(at.elsewhere, 'i1', 2);
    expect(ids(await live.take(1))).toEqual(['4']);
    await live.cancel();
    expect(ids(await (await stream({ 'last-event-id': '3' })).take(1))).toEqual(['4']);
  });

  it('is refused before it begins for an item that is not there, or a place that is none', async () => {
    await opened();
    expect((await at.ask('/work-items/nobody/stream')).status).toBe(404);
    for (const place of ['x', '-1', '1.5', '1e3', ' ', '9'.repeat(16)]) {
      const refused = await at.ask('/work-items/i1/stream', { 'last-event-id': place });
      expect(await refused.json(), place).toMatchObject({ code: 'invalid_request', status: 400 });
    }
    expect((await at.ask('/work-items/i1/stream?after=x')).status).toBe(400);
  });

  it('begins again, and says so, for a client that has more than there is', async () => {
    await opened();
    const frames = await (await stream({ 'last-event-id': '77' })).take(3);
    expect(frames.map(({ event, id }) => [event, id])).toEqual([
      ['reset', '0'],
      ['event', '1'],
      ['event', '2'],
    ]);
  });

  it('shows text while it is written, and ends it behind the event that says the same', async () => {
    await opened();
    const live = await stream({ 'last-event-id': '2' });
    const first = live.next();
    at.liveText.write('i1', RUN, 'one\n');
    at.liveText.write('i2', RUN, 'of another item\n');
    expect(await first).toMatchObject({ event: 'live', id: undefined });
    at.liveText.write('i1', RUN, 'two\n');
    await edit(at.store, 'i1', 1);
    at.liveText.end('i1', RUN);
    const [event, rest, end] = await live.take(3);
    expect(event).toMatchObject({ event: 'event', id: '3' });
    expect([rest?.event, JSON.parse(rest?.data ?? '')]).toEqual(['live', { ...RUN, offset: 4, text: 'two\n' }]);
    expect([end?.event, JSON.parse(end?.data ?? '')]).toEqual(['live-end', RUN]);
    await live.cancel();
    expect(at.liveText.held).toBe('of another item\n'.length);
  });

  it('says bye and when to come back, as the server closes', async () => {
    await opened();
    const live = await stream({ 'last-event-id': '2' });
    const bye = live.next();
    await at.close();
    expect(await bye).toMatchObject({ event: 'bye' });
    expect(await live.next()).toBeUndefined();
    expect(live.retryMs).toBeGreaterThanOrEqual(1_000);
  });

  it('gives signs of life, and looks at the store itself then', async () => {
    await opened({ heartbeatMs: 5 });
    const live = await stream({ 'last-event-id': '2' });
    while (live.comments < 3) await live.pull();
    await live.cancel();
  });

  it('ends when its token is revoked', async () => {
    const tables = emptyTables();
    const store = openMemoryStore({ tables });
    await opened({ store, heartbeatMs: 5, access: { ...localAccess(), requireToken: true } });
    const wanted = { name: 'phone', scopes: ['read' as const], authority: 'user' as const, expiresAt: null };
    const { minted, record } = await addToken(store, wanted, Date.now());
    const live = await stream({ 'last-event-id': '2', authorization: `Bearer ${minted.token}` });
    while (live.comments < 2) await live.pull();
    await revokeToken(store, record.id, Date.now());
    expect(await live.take(9)).toMatchObject([{ event: 'bye' }]);
  });

  it('ends with a hint when the store fails, and goes on behind it', async () => {
    const tables = emptyTables();
    const whole = openMemoryStore({ tables });
    let isBroken = false;
    const { StoreError } = await import('../../src/store/store-error.ts');
    const events: typeof whole.events = async (...asked) => {
      if (isBroken) throw new StoreError('store_io', 'the disk is gone');
      return whole.events(...asked);
    };
    await opened({ store: { ...whole, events } });
    const live = await stream();
    expect(ids(await live.take(2))).toEqual(['1', '2']);
    isBroken = true;
    await edit(at.store, 'i1', 1);
    expect(await live.take(9)).toMatchObject([{ event: 'bye' }]);
    isBroken = false;
    expect(ids(await (await stream({ 'last-event-id': '2' })).take(1))).toEqual(['3']);
  });
});

describe('a connection', () => {
  it('of HTTP/1.0, as some proxies make, gets the same without chunks', async () => {
    await opened();
    const { port } = await at.listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /api/v1/work-items/i1/stream HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    let text = '';
    for await (const part of socket.setEncoding('utf8')) {
      text += part;
      if (text.includes('id: 2\n')) break;
    }
    const [head = '', ...body] = text.split('\r\n\r\n');
    expect(head.toLowerCase()).not.toMatch(/chunked|content-length|content-encoding/);
    expect(body.join('')).toMatch(/^retry: \d+\n\nevent: event\nid: 1\ndata: /);
    socket.destroy();
  });
});

describe('the feed', () => {
  it('tells of each item only its newest version, and goes on where a client stopped', async () => {
    await opened();
    await makeItem(at.store, 'i2');
    const first = await feed();
    const [ready] = await first.take(1);
    expect(ready).toMatchObject({ event: 'ready', data: '{}' });
    for (let n = 1; n <= 50; n += 1) await edit(at.store, 'i1', n);
    await edit(at.store, 'i2', 1);
    const told = await first.take(2);
    expect(told.map(({ data }) => JSON.parse(data))).toEqual([
      { id: 'i1', version: 52 },
      { id: 'i2', version: 3 },
    ]);
    await first.cancel();
    await edit(at.elsewhere, 'i2', 2);
    const [again, missed] = await (await feed(told.at(-1)?.id)).take(2);
    expect(again).toMatchObject({ event: 'ready', id: told.at(-1)?.id });
    expect(JSON.parse(missed?.data ?? '')).toEqual({ id: 'i2', version: 4 });
    const [, ...all] = await (await feed(ready?.id)).take(3);
    expect(all.map(({ data }) => JSON.parse(data).version)).toEqual([52, 4]);
  });

  it('sees what another process commits', async () => {
    await opened();
    const live = await feed();
    await live.take(1);
    await edit(at.elsewhere, 'i1', 1);
    expect((await live.take(1)).map(({ data }) => JSON.parse(data))).toEqual([{ id: 'i1', version: 3 }]);
  });

  it('says reset to a place of another store, of the future, or of no kind', async () => {
    await opened();
    const [ready] = await (await feed()).take(1);
    const [identity] = (ready?.id ?? '').split('-');
    for (const place of ['0123abcd-1', `${identity}-999`, `${identity}-x`, '12', 'x']) {
      const [reset] = await (await feed(place)).take(1);
      expect([place, reset?.event, reset?.id]).toEqual([place, 'reset', ready?.id]);
    }
    expect((await (await feed(ready?.id)).take(1))[0]?.event).toBe('ready');
  });
});

describe('many streams', () => {
  it('are bounded, and a place is free again when one ends, however it ends', async () => {
    await opened({ maxStreams: 2 });
    const first = await stream();
    const second = await feed();
    const refused = await at.ask('/feed');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' });
    await first.cancel();
    for (let times = 0; times < 3; times += 1) {
      expect((await at.ask('/work-items/i1/stream', {}, 'HEAD')).headers.get('content-type')).toBe('text/event-stream');
      expect((await at.ask('/work-items/nobody/stream')).status).toBe(404);
    }
    const third = await stream();
    expect((await at.ask('/feed')).status).toBe(503);
    await second.take(1);
    await second.cancel();
    expect(ids(await third.take(1))).toEqual(['1']);
    expect((await at.ask('/feed')).status).toBe(200);
  });

  it('leave no place taken when their connections are cut at once', async () => {
    await opened({ maxStreams: 3 });
    const { port, sockets } = await at.listen();
    for (let times = 0; times < 30; times += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET /api/v1/feed HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      if (times % 3 > 0) await once(socket, times % 3 === 1 ? 'connect' : 'data');
      socket.destroy();
    }
    await until('the server has seen them go', () => sockets.length >= 20 && sockets.every(({ closed }) => closed));
    const answers = [];
    for (let times = 0; times < 4; times += 1) answers.push((await at.ask('/feed')).status);
    expect(answers).toEqual([200, 200, 200, 503]);
  });

  it('ask the store once together: for what changed, and for the events of one item', async () => {
    const tables = emptyTables();
    const whole = openMemoryStore({ tables });
    const asked = { changedSince: 0, events: 0 };
    const changedSince: typeof whole.changedSince = (cursor) => {
      asked.changedSince += 1;
      return whole.changedSince(cursor);
    };
    const events: typeof whole.events = (...query) => {
      asked.events += 1;
      return whole.events(...query);
    };
    await opened({ store: { ...whole, changedSince, events } });
    await makeItem(at.store, 'i2');
    const watching = await Promise.all(Array.from({ length: 200 }, () => stream({ 'last-event-id': '2' })));
    const others = await Promise.all(Array.from({ length: 200 }, () => stream({ 'last-event-id': '2' }, 'i2')));
    const next = Promise.all(watching.map((each) => each.take(1)));
    const idle = others.map((each) => each.next());
    await edit(openMemoryStore({ tables }), 'i1', 1);
    expect((await next).flatMap(ids)).toEqual(Array.from({ length: 200 }, () => '3'));
    // One question for each item at first, one for the commit; a question a second for changes, and one to begin with.
    expect(asked.events).toBeLessThanOrEqual(4);
    expect(asked.changedSince).toBeLessThanOrEqual(10);
    for (const each of others) await each.cancel();
    await Promise.all(idle);
    for (const each of watching) await each.cancel();
  });
});
