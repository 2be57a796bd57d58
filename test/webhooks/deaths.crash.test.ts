import { expect, test } from 'vitest';
import type { SideRecord, Store } from '../../src/store/store.ts';
import { idOf, toldIn, withBench } from './bench.ts';
import { heldOnce, made, stopped } from './items.ts';

/** Everything a dispatcher writes: records, and the lease. */
const WRITES = ['putRecord', 'dropRecord', 'acquireLease'] as const;
type Write = (typeof WRITES)[number];

interface Death {
  readonly before: boolean;
  /** Which write, from 1. */
  readonly at: number;
}

/** A process that dies at its nth write: before it, or right after. From then on nothing it asks is answered. */
function mortal(plain: Store, { before, at }: Death, onDeath: (what: string) => void): Store {
  let writes = 0;
  let isDead = false;
  const over = () => new Promise<never>((_resolve, reject) => reject(new Error('dead')));
  const around =
    (name: Write) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      if (isDead) return over();
      writes += 1;
      const dies = writes === at;
      const write = () => Reflect.apply(plain[name], plain, [...args]);
      if (dies) {
        isDead = true;
        const kind = (args[0] as Partial<SideRecord>).kind ?? args[0];
        onDeath(`${before ? 'before' : 'after'} ${name} ${String(kind).split(':')[0]}`);
        if (!before) await write();
        return over();
      }
      return write();
    };
  return new Proxy(plain, {
    get: (target, name, receiver) => {
      const known = WRITES.find((write) => write === name);
      if (known) return around(known);
      const value: unknown = Reflect.get(target, name, receiver);
      return isDead && typeof value === 'function' && name !== 'onCommit' ? over : value;
    },
  });
}

const LEASE_MS = 30_000;

/** One life with a death in it, and another one that goes on; answers at what the first one died. */
async function twoLives(death: Death): Promise<string | undefined> {
  let died: string | undefined;
  await withBench(async (bench) => {
    const { store } = bench;
    const { id } = await bench.add();
    for (const item of ['i1', 'i2']) {
      await made(store, item);
      await heldOnce(store, item);
      await stopped(store, item);
    }
    // The first request of each item is refused once, so that a retry is among what is written.
    bench.says((request) => (bench.requests.filter((one) => idOf(one) === idOf(request)).length === 1 ? 500 : 200));
    const first = bench.dispatcher('one', (plain) => mortal(plain, death, (what) => (died = what)));
    for (let round = 0; round < 4; round += 1) {
      await first.settle();
      bench.advance(5_000);
    }
    await first.stop();
    bench.advance(LEASE_MS);
    const second = bench.dispatcher('two');
    for (let round = 0; round < 6; round += 1) {
      await second.settle();
      bench.advance(60_000);
    }
    const told = bench.requests.map(toldIn);
    const ids = new Map(bench.requests.map((request) => [idOf(request), toldIn(request)]));
    expect([...ids.values()].toSorted()).toEqual([
      'i1 item.cancelled 7',
      'i1 item.held 3',
      'i2 item.cancelled 7',
      'i2 item.held 3',
    ]);
    for (const item of ['i1', 'i2']) {
      const own = told.filter((line) => line.startsWith(item));
      expect(own.findLastIndex((line) => line.includes('held'))).toBeLessThan(
        own.findIndex((line) => line.includes('cancelled')),
      );
    }
    expect((await bench.log(id)).map(({ value }) => value.state)).toEqual(Array(4).fill('delivered'));
    expect(await store.listRecords(`webhook_queue:${id}`, { limit: 10 })).toEqual([]);
  });
  return died;
}

test.each([
  ['before', true],
  ['after', false],
])(
  'a death %s any write of the dispatcher loses nothing, keeps the order of each item, and repeats only what is recognisable',
  async (_when, before) => {
    const deaths: string[] = [];
    for (let at = 1; ; at += 1) {
      const died = await twoLives({ before, at });
      if (died === undefined) break;
      deaths.push(died);
    }
    expect(new Set(deaths.map((line) => line.split(' ').slice(1).join(' ')))).toEqual(
      new Set([
        'acquireLease webhooks',
        'putRecord webhook_delivery',
        'putRecord webhook_queue',
        'putRecord webhook_position',
        'putRecord webhook',
        'dropRecord webhook_queue',
      ]),
    );
    expect(deaths.length).toBeGreaterThan(20);
  },
);
