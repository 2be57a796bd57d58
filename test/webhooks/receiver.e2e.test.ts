import { spawn } from 'node:child_process';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import {
  addWebhook,
  isRefusal,
  type Kept,
  readLog,
  sendOverHttp,
  startDispatcher,
  type Webhook,
} from '../../src/webhooks/index.ts';
import { withFiles } from '../store/sqlite-files.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { made, stopped } from './items.ts';
import { openReceiver, type Receiver, signedHeaders } from './receiver.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

async function added(store: Store): Promise<Kept<Webhook>> {
  const webhook = await addWebhook(store, { url: receiver.url, events: [] }, Date.now());
  if (isRefusal(webhook)) throw new Error(webhook.message);
  return webhook;
}

async function cancelled(store: Store): Promise<void> {
  await made(store, 'i1');
  await stopped(store, 'i1');
}

const logOf = async (store: Store, id: string) => (await readLog(store, id, { limit: 10 })).deliveries;

/** A dispatcher over real HTTP, whose clock the test moves. */
function dispatching(store: Store) {
  let aheadMs = 0;
  const dispatcher = startDispatcher({
    ...{ store, owner: 'one', version: '1.2.3', send: sendOverHttp, chance: () => 0.5, pollMs: 3_600_000 },
    now: () => Date.now() + aheadMs,
  });
  return {
    ...dispatcher,
    settle: () => dispatcher.settle(),
    stop: () => dispatcher.stop(),
    advance: (ms: number) => {
      aheadMs += ms;
    },
  };
}

describe('a receiver', () => {
  test('that fails twice and then accepts gets one valid, correctly signed delivery; a replayed one is recognisable', async () => {
    const store = openMemoryStore();
    const { id, value } = await added(store);
    await cancelled(store);
    receiver.answers((response, n) => void response.writeHead(n < 2 ? 500 : 200).end(n < 2 ? 'not yet' : 'thanks'));
    const dispatcher = dispatching(store);
    for (const pauseMs of [5_000, 30_000, 120_000, 600_000]) {
      await dispatcher.settle();
      dispatcher.advance(pauseMs);
    }
    await dispatcher.settle();
    await dispatcher.stop();
    expect(receiver.received).toHaveLength(3);

    const verifier = new Verifier(value.secret);
    const payloads = receiver.received.map((each) => verifier.verify(each.body, signedHeaders(each)));
    expect(payloads[2]).toMatchObject({ type: 'item.cancelled', data: { itemId: 'i1', lane: 'done' } });
    expect(receiver.received[2]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'workcenter/1.2.3',
    });

    // Who keeps the ids it has accepted sees that all three are one; and who gets an old one again sees its age.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [first] = receiver.received;
    if (!first) throw new Error('nothing came');
    const old = `${Number(first.headers['webhook-timestamp']) - 3_600}`;
    expect(() => verifier.verify(first.body, { ...signedHeaders(first), 'webhook-timestamp': old })).toThrow('too old');
    const young = `${Number(first.headers['webhook-timestamp']) + 60}`;
    expect(() => verifier.verify(first.body, { ...signedHeaders(first), 'webhook-timestamp': young })).toThrow(
      'signature',
    );
    expect(() => verifier.verify(`${first.body} `, signedHeaders(first))).toThrow('signature');

    const [delivery] = await logOf(store, id);
    expect(delivery?.value.attempts).toMatchObject([
      { status: 500, answer: 'not yet' },
      { status: 500, answer: 'not yet' },
      { status: 200, answer: 'thanks' },
    ]);
    await store.close();
  });

  test('that redirects is not followed: a signed body goes only where a person said', async () => {
    const store = openMemoryStore();
    const elsewhere = await openReceiver();
    const { id } = await added(store);
    await cancelled(store);
    receiver.answers((response) => void response.writeHead(307, { location: elsewhere.url }).end());
    const dispatcher = dispatching(store);
    await dispatcher.settle();
    await dispatcher.stop();
    expect(elsewhere.received).toEqual([]);
    expect(await logOf(store, id)).toMatchObject([{ value: { state: 'waiting', attempts: [{ status: 307 }] } }]);
    await elsewhere.close();
    await store.close();
  });

  test('that talks without end is heard no longer than a log needs', async () => {
    const store = openMemoryStore();
    const { id } = await added(store);
    await cancelled(store);
    receiver.answers((response) => {
      const talk = (): void => {
        while (!response.destroyed && response.write('blah '.repeat(1_000)));
        if (!response.destroyed) response.once('drain', talk);
      };
      response.writeHead(200);
      talk();
    });
    const dispatcher = dispatching(store);
    await dispatcher.settle();
    await dispatcher.stop();
    const [delivery] = await logOf(store, id);
    expect(delivery?.value).toMatchObject({ state: 'delivered' });
    expect(delivery?.value.attempts[0]?.answer.length).toBeLessThanOrEqual(500);
    await store.close();
  });

  test('that is not there is told later; the log says why', async () => {
    const store = openMemoryStore();
    const { id } = await added(store);
    await receiver.close();
    await cancelled(store);
    const dispatcher = dispatching(store);
    await dispatcher.settle();
    await dispatcher.stop();
    expect(await logOf(store, id)).toMatchObject([
      { value: { state: 'waiting', attempts: [{ error: 'ECONNREFUSED' }] } },
    ]);
    await store.close();
  });

  test('that never answers holds up no stop; what was on its way counts as never sent', async () => {
    const store = openMemoryStore();
    const { id } = await added(store);
    receiver.answers(() => undefined);
    const dispatcher = dispatching(store);
    await cancelled(store);
    const settling = dispatcher.settle();
    await receiver.got(1);
    await dispatcher.stop();
    await settling;
    expect(await logOf(store, id)).toMatchObject([{ value: { state: 'waiting', tries: 0, attempts: [] } }]);
    await store.close();
  });
});

test('a dispatcher that is killed between sending and recording sends again under the same id, by whoever comes next', () =>
  withFiles(async ({ path, open }) => {
    const store = await open({ now: Date.now });
    const { id, value } = await added(store);
    await cancelled(store);
    // The request has come, its answer is never given: the process dies before it can record anything.
    receiver.answers((response, n) => void (n === 0 ? undefined : response.writeHead(200).end()));
    const script = await compiledScript(new URL('./dispatcher-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, path], { stdio: 'inherit' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      await receiver.got(1);
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
    // While the lease of the dead one lasts nobody else sends; when it has ended the next one does.
    const early = dispatching(store);
    await early.settle();
    await early.stop();
    expect(receiver.received).toHaveLength(1);
    const later = await open({ now: () => Date.now() + 31_000 });
    const next = dispatching(later);
    await next.settle();
    await next.stop();
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(receiver.received).toHaveLength(2);
    expect(second).toBe(first);
    const verifier = new Verifier(value.secret);
    for (const each of receiver.received) verifier.verify(each.body, signedHeaders(each));
    expect(await logOf(later, id)).toMatchObject([{ id: first, value: { state: 'delivered', tries: 1 } }]);
  }));
