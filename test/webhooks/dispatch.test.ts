import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { enableWebhook, isRefusal, redeliver, removeWebhook, testWebhook } from '../../src/webhooks/index.ts';
import { LOG_LIMITS } from '../../src/webhooks/log.ts';
import { RETRY_AFTER_MS } from '../../src/webhooks/retry-plan.ts';
import { ANSWERED, type Bench, idOf, toldIn, withBench } from './bench.ts';
import { done, failed, heldOnce, made, stopped } from './items.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function leftOf(store: Store, id: string): Promise<readonly unknown[]> {
  const kinds = ['webhook', 'webhook_position', `webhook_delivery:${id}`, `webhook_queue:${id}`];
  return (await Promise.all(kinds.map((kind) => store.listRecords(kind, { limit: 10 })))).flat();
}

const told = ({ requests }: Bench): readonly string[] => requests.map(toldIn);

describe('what is told', () => {
  test('needs you, failed, held, cancelled and done are told once each, in the order in which they happened', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await bench.add();
      const dispatcher = bench.dispatcher();
      await made(store, 'ends');
      await done(store, 'ends');
      await made(store, 'breaks');
      await heldOnce(store, 'breaks');
      await failed(store, 'breaks');
      await stopped(store, 'breaks');
      await dispatcher.settle();
      const of = (item: string) =>
        told(bench)
          .filter((line) => line.startsWith(`${item} `))
          .map((line) => line.split(' ')[1]);
      expect(of('ends')).toEqual(['item.done']);
      expect(of('breaks')).toEqual(['item.held', 'item.failed', 'item.cancelled']);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(4);
    }));

  test('a webhook is told what it asked for, from the moment it was added on', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await made(store, 'before');
      await stopped(store, 'before');
      await bench.add({ events: ['item.needs_you'] });
      await made(store, 'after');
      await failed(store, 'after');
      await stopped(store, 'after');
      await bench.dispatcher().settle();
      expect(told(bench)).toEqual([expect.stringMatching(/^after item\.needs_you \d+$/)]);
    }));

  test('what happened while no dispatcher ran is told by the next one, and only once', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await bench.add();
      const first = bench.dispatcher('one');
      await made(store, 'i1');
      await heldOnce(store, 'i1');
      await first.settle();
      await first.stop();
      await heldOnce(store, 'i1');
      await stopped(store, 'i1');
      await bench.dispatcher('two').settle();
      const types = told(bench).map((line) => line.split(' ')[1]);
      expect(types).toEqual(['item.held', 'item.held', 'item.cancelled']);
      expect(new Set(bench.requests.map(idOf)).size).toBe(3);
    }));

  test('more events than a page are walked through to their end', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await bench.add({ events: ['item.cancelled'] });
      for (let n = 0; n < 600; n += 1) await made(store, `i${n}`);
      await stopped(store, 'i599');
      await bench.dispatcher().settle();
      expect(told(bench)).toEqual([expect.stringContaining('i599 item.cancelled')]);
    }));

  test('an item that cannot be read keeps the others from nothing', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await bench.add();
      for (const id of ['bad', 'good']) {
        await made(store, id);
        await stopped(store, id);
      }
      const { StoreError } = await import('../../src/store/store-error.ts');
      const blind = bench.dispatcher('one', (plain) => ({
        ...plain,
        events: async (id, options) => {
          if (id === 'bad') throw new StoreError('item_quarantined', 'Item bad cannot be read.');
          return plain.events(id, options);
        },
      }));
      await blind.settle();
      expect(told(bench)).toEqual([expect.stringContaining('good item.cancelled')]);
    }));
});

describe('a delivery that is not accepted', () => {
  test('is tried again by the plan under the same id, each time signed for its own moment, and fails after about a day', () =>
    withBench(async (bench) => {
      const { id, value } = await bench.add();
      const { store } = bench;
      await made(store, 'i1');
      await stopped(store, 'i1');
      bench.says(() => 500);
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      for (const pauseMs of RETRY_AFTER_MS) {
        bench.advance(pauseMs - 1);
        const before = bench.requests.length;
        await dispatcher.settle();
        expect(bench.requests).toHaveLength(before);
        bench.advance(1);
        await dispatcher.settle();
        expect(bench.requests).toHaveLength(before + 1);
      }
      bench.advance(7 * DAY_MS);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(RETRY_AFTER_MS.length + 1);
      expect(new Set(bench.requests.map(idOf)).size).toBe(1);
      expect(new Set(bench.requests.map(({ body }) => body)).size).toBe(1);
      const times = bench.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
      expect(new Set(times).size).toBe(times.length);
      const signer = new Verifier(value.secret);
      for (const { headers, body } of bench.requests) {
        const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
        expect(headers['webhook-signature']).toBe(signer.sign(headers['webhook-id'] ?? '', at, body));
      }
      expect(await bench.log(id)).toMatchObject([{ value: { state: 'failed', nextAt: null } }]);
    }));

  test('keeps what comes after it in the same item back, and no other item', () =>
    withBench(async (bench) => {
      const { store } = bench;
      await bench.add();
      for (const id of ['i1', 'i2']) {
        await made(store, id);
        await heldOnce(store, id);
        await stopped(store, id);
      }
      bench.says((request) => (toldIn(request).startsWith('i1 item.held') && bench.requests.length < 4 ? 503 : 200));
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      const types = () => told(bench).map((line) => line.split(' ').slice(0, 2).join(' '));
      expect(types().toSorted()).toEqual(['i1 item.held', 'i2 item.cancelled', 'i2 item.held']);
      bench.advance(RETRY_AFTER_MS[0] ?? 0);
      await dispatcher.settle();
      expect(types().slice(3)).toEqual(['i1 item.held', 'i1 item.cancelled']);
    }));

  test.each([429, 503])('waits as long as %d with Retry-After asks for', (status) =>
    withBench(async (bench) => {
      await bench.add();
      await made(bench.store, 'i1');
      await stopped(bench.store, 'i1');
      bench.says((_request, n) => (n === 0 ? { status, retryAfter: '3600', text: '' } : 200));
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      bench.advance(HOUR_MS - 1);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(1);
      bench.advance(1);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(2);
    }),
  );

  test.each([301, 302, 307, 400, 404, 500])('%d is no acceptance', (status) =>
    withBench(async (bench) => {
      const { id } = await bench.add();
      await made(bench.store, 'i1');
      await stopped(bench.store, 'i1');
      bench.says(() => status);
      await bench.dispatcher().settle();
      const [delivery] = await bench.log(id);
      expect(delivery?.value).toMatchObject({ state: 'waiting', tries: 1, attempts: [{ status }] });
    }),
  );
});

describe('a webhook is disabled', () => {
  test('at once by 410 Gone, with the reason, and goes on where it stopped when it is enabled', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      await made(store, 'i1');
      await heldOnce(store, 'i1');
      await heldOnce(store, 'i1');
      bench.says((_request, n) => (n === 0 ? 410 : 200));
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      await stopped(store, 'i1');
      bench.advance(DAY_MS);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(1);
      const enabled = await enableWebhook(store, id);
      expect(enabled).toMatchObject({ value: { disabled: null, failingSince: null } });
      await dispatcher.settle();
      expect(told(bench).map((line) => line.split(' ')[1])).toEqual(['item.held', 'item.held', 'item.cancelled']);
    }));

  test('after three days without one acceptance; a single one begins the count anew', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      let isUp = false;
      bench.says(() => (isUp ? 200 : new Error('connection refused')));
      const dispatcher = bench.dispatcher();
      const day = async (n: number) => {
        await made(store, `i${n}`);
        await stopped(store, `i${n}`);
        await dispatcher.settle();
        bench.advance(DAY_MS);
        await dispatcher.settle();
      };
      const disabled = async () => (await store.getRecord('webhook', id))?.value.disabled;
      for (const n of [1, 2]) await day(n);
      expect(await disabled()).toBeNull();
      isUp = true;
      await day(3);
      isUp = false;
      for (const n of [4, 5]) await day(n);
      expect(await disabled()).toBeNull();
      await day(6);
      expect(await disabled()).toMatchObject({ code: 'failing', reason: expect.stringContaining('since') });
    }));
});

describe('a webhook that is removed', () => {
  test('is told nothing more, and nothing of it stays in the store', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      await made(store, 'i1');
      await heldOnce(store, 'i1');
      bench.says(() => 500);
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      expect(await removeWebhook(store, id)).toBeUndefined();
      await stopped(store, 'i1');
      bench.advance(DAY_MS);
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(1);
      expect(await leftOf(store, id)).toEqual([]);
      expect(await removeWebhook(store, id)).toMatchObject({ code: 'webhook_not_found' });
    }));

  test('while deliveries are made for it leaves nothing behind either, and no secret meanwhile', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      for (const item of ['i1', 'i2']) {
        await made(store, item);
        await stopped(store, item);
      }
      const dispatcher = bench.dispatcher('one', (plain) => ({
        ...plain,
        putRecord: async (row, version) => {
          if (row.kind.startsWith('webhook_queue')) await removeWebhook(store, id);
          return plain.putRecord(row, version);
        },
      }));
      await dispatcher.settle();
      await dispatcher.settle();
      expect(bench.requests).toEqual([]);
      expect(await leftOf(store, id)).toEqual([]);
      const other = await bench.add();
      await dispatcher.stop();
      await removeWebhook(store, other.id);
      expect(JSON.stringify(await leftOf(store, other.id))).not.toContain(other.value.secret);
    }));

  test('while a request is on its way leaves nothing behind either', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      await made(store, 'i1');
      await stopped(store, 'i1');
      const dispatcher = bench.dispatcher('one', (plain) => ({
        ...plain,
        putRecord: async (row, version) => {
          if (row.kind.startsWith('webhook_delivery') && version === 1) await removeWebhook(store, id);
          return plain.putRecord(row, version);
        },
      }));
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(1);
      expect(await leftOf(store, id)).toEqual([]);
    }));
});

describe('a person', () => {
  test('sends a delivery again under its id, whatever became of it', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      await made(store, 'i1');
      await stopped(store, 'i1');
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      const [delivery] = await bench.log(id);
      expect(isRefusal(await redeliver(store, id, delivery?.id ?? '', bench.now()))).toBe(false);
      await dispatcher.settle();
      expect(bench.requests.map(idOf)).toEqual([delivery?.id, delivery?.id]);
      expect(await bench.log(id)).toMatchObject([{ value: { state: 'delivered', attempts: [{}, {}] } }]);
      expect(await redeliver(store, id, 'msg_0', bench.now())).toMatchObject({ code: 'delivery_not_found' });
    }));

  test('does not have to wait for the next try', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id } = await bench.add();
      await made(store, 'i1');
      await stopped(store, 'i1');
      bench.says((_request, n) => (n === 0 ? 500 : 200));
      const dispatcher = bench.dispatcher();
      await dispatcher.settle();
      const [delivery] = await bench.log(id);
      await redeliver(store, id, delivery?.id ?? '', bench.now());
      await dispatcher.settle();
      expect(bench.requests).toHaveLength(2);
    }));

  test('tries a webhook out: one signed message, no retry, in the log with what was answered', () =>
    withBench(async (bench) => {
      const { store } = bench;
      const { id, value } = await bench.add();
      const sender = {
        now: bench.now,
        version: 'test',
        send: async () => ({ ...ANSWERED, status: 418, text: value.secret }),
      };
      const tried = await testWebhook(store, sender, id);
      expect(tried).toMatchObject({ value: { type: 'webhook.test', state: 'failed', attempts: [{ status: 418 }] } });
      expect(JSON.stringify(await bench.log(id))).not.toContain(value.secret);
      await bench.dispatcher().settle();
      expect(bench.requests).toEqual([]);
      if (isRefusal(tried)) throw new Error(tried.message);
      expect(await redeliver(store, id, tried.id, bench.now())).toMatchObject({ code: 'invalid_webhook' });
    }));
});

test('one process sends, and another one takes over when its lease has ended', () =>
  withBench(async (bench) => {
    const { store } = bench;
    await bench.add();
    const first = bench.dispatcher('one');
    await first.settle();
    const second = bench.dispatcher('two');
    await made(store, 'i1');
    await heldOnce(store, 'i1');
    await second.settle();
    expect(bench.requests).toEqual([]);
    await Promise.all([first.settle(), second.settle()]);
    expect(bench.requests).toHaveLength(1);
    await first.stop();
    await stopped(store, 'i1');
    await second.settle();
    expect(told(bench).map((line) => line.split(' ')[1])).toEqual(['item.held', 'item.cancelled']);
  }));

test('the log keeps the newest deliveries, those that wait, and nothing that is older than its age', () =>
  withBench(async (bench) => {
    const { store } = bench;
    const { id } = await bench.add({ events: ['item.held', 'item.cancelled'] });
    await made(store, 'stuck');
    await stopped(store, 'stuck');
    bench.says((request) =>
      toldIn(request).startsWith('stuck') ? { status: 503, retryAfter: '86400', text: '' } : 200,
    );
    const dispatcher = bench.dispatcher();
    await dispatcher.settle();
    await made(store, 'i1');
    for (let n = 0; n < LOG_LIMITS.deliveries + 60; n += 1) await heldOnce(store, 'i1');
    await dispatcher.settle();
    const kept = await bench.log(id);
    expect(kept.length).toBeLessThanOrEqual(LOG_LIMITS.deliveries + 50 + 1);
    expect(kept.filter(({ value }) => value.state === 'waiting')).toHaveLength(1);
    bench.advance(LOG_LIMITS.ageMs + 1);
    for (let n = 0; n < 50; n += 1) await heldOnce(store, 'i1');
    await dispatcher.settle();
    expect(await bench.log(id)).toHaveLength(51);
  }));

test('the secret is in no request, no delivery and no log', () =>
  withBench(async (bench) => {
    const { store } = bench;
    const { id, value } = await bench.add();
    await made(store, 'i1', { contract: { title: `Use ${value.secret}` } });
    await stopped(store, 'i1');
    bench.says((_request, n) =>
      n === 0 ? new Error(`cannot reach ${value.secret}`) : { ...ANSWERED, text: value.secret },
    );
    const dispatcher = bench.dispatcher();
    await dispatcher.settle();
    bench.advance(DAY_MS);
    await dispatcher.settle();
    const bare = value.secret.slice('whsec_'.length);
    expect(JSON.stringify([await bench.log(id), bench.logs])).not.toContain(bare);
    expect(bench.requests).toHaveLength(2);
  }));
