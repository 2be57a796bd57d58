import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '../../src/webhooks/event-types.ts';
import { LOG_LIMITS } from '../../src/webhooks/log.ts';
import type { Payload } from '../../src/webhooks/payload.ts';
import { GIVE_UP_AFTER_MS, RETRY_AFTER_MS } from '../../src/webhooks/retry-plan.ts';
import { DOCUMENT, withBench } from './bench.ts';
import { done, failed, heldOnce, made } from './items.ts';

const page = readFileSync(DOCUMENT, 'utf8');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as Payload);

/** What a value is made of, without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'nothing' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

test('the table of types has those that there are, in the order in which one is chosen', () => {
  expect([...page.matchAll(/^\| `(item\.\w+)` \|/gm)].map(([, type]) => type)).toEqual(WEBHOOK_EVENTS);
});

test('the table of retries and the limits are those that hold', () => {
  const ms = { s: 1_000, min: 60_000, h: 3_600_000 };
  const rows = [...page.matchAll(/^\| (\d+) \| (\d+) (s|min|h) \|$/gm)];
  expect(rows.map(([, , count, unit]) => Number(count) * ms[unit as keyof typeof ms])).toEqual(RETRY_AFTER_MS);
  expect(rows.map(([, attempt]) => Number(attempt))).toEqual(RETRY_AFTER_MS.map((_pause, index) => index + 2));
  const days = (count: number) => count * 24 * ms.h;
  expect([GIVE_UP_AFTER_MS, LOG_LIMITS.ageMs, LOG_LIMITS.deliveries]).toEqual([days(3), days(30), 200]);
  expect(page).toContain('three days without one accepted');
  expect(page).toContain('newest 200 deliveries of a webhook for 30 days');
});

test('every example has the shape of what is really sent', () =>
  withBench(async (bench) => {
    const { store } = bench;
    await bench.add({ events: ['item.done', 'item.held', 'item.needs_you'] });
    for (const id of ['ends', 'asks']) await made(store, id);
    await done(store, 'ends');
    await heldOnce(store, 'asks');
    await failed(store, 'asks');
    await bench.dispatcher().settle();
    const sent = new Map(
      bench.requests.map(({ body }) => JSON.parse(body) as Payload).map((each) => [each.type, each]),
    );
    expect(examples.map(({ type }) => type)).toEqual(['item.needs_you', 'item.held', 'item.done']);
    for (const example of examples) expect(shapeOf(example)).toEqual(shapeOf(sent.get(example.type)));
  }));
