import { expect, test } from 'vitest';
import { CHOICES, type EventBody, type HoldCode, type SubjectKind } from '../../src/core/index.ts';
import { CORE_EVENTS, fittingOf, toldAs, WEBHOOK_EVENTS } from '../../src/webhooks/event-types.ts';

/** Only what the rules look at. */
const event = (type: string, more: object = {}): EventBody => ({ type, ...more }) as EventBody;
const held = (code: HoldCode) => event('ItemHeld', { hold: { code, at: 0, details: '' } });
const asked = (kind: SubjectKind) => event('RequestOpened', { request: { id: 'r1', subject: { kind } } });

const TELLING = ['ItemCompleted', 'ItemCancelled', 'ItemHeld', 'RequestOpened'];

test('of all events of the core these are told, and no other', () => {
  expect(CORE_EVENTS.length).toBeGreaterThan(40);
  const silent = CORE_EVENTS.filter((type) => !TELLING.includes(type));
  expect(silent.filter((type) => fittingOf(event(type)).length > 0)).toEqual([]);
  expect(TELLING.filter((type) => !CORE_EVENTS.some((known) => known === type))).toEqual([]);
});

test('an item that ends is told as done or cancelled', () => {
  expect(fittingOf(event('ItemCompleted'))).toEqual(['item.done']);
  expect(fittingOf(event('ItemCancelled'))).toEqual(['item.cancelled']);
});

const HOLDS = {
  user: ['item.held'],
  disk_low: ['item.held', 'item.needs_you'],
  engine_trouble: ['item.held', 'item.failed', 'item.needs_you'],
  coordinator_failures: ['item.held', 'item.failed', 'item.needs_you'],
  wall_clock_exhausted: ['item.held', 'item.needs_you'],
  requests_exhausted: ['item.held', 'item.needs_you'],
  tokens_exhausted: ['item.held', 'item.needs_you'],
  money_exhausted: ['item.held', 'item.needs_you'],
} as const satisfies Record<HoldCode, readonly string[]>;

test.each(Object.entries(HOLDS))('a hold for %s is told as %j', (code, expected) => {
  expect(fittingOf(held(code as HoldCode))).toEqual(expected);
});

const FAILED: readonly SubjectKind[] = ['action_failed', 'verification_failed', 'verification_error'];

test.each(Object.keys(CHOICES) as SubjectKind[])(
  'a request about %s needs a person, and says where something failed',
  (kind) => {
    expect(fittingOf(asked(kind))).toEqual(
      FAILED.includes(kind) ? ['item.failed', 'item.needs_you'] : ['item.needs_you'],
    );
  },
);

test('one event is told once: as the first of what fits that the webhook asked for', () => {
  expect(toldAs(held('coordinator_failures'), WEBHOOK_EVENTS)).toBe('item.held');
  expect(toldAs(held('coordinator_failures'), ['item.needs_you', 'item.failed'])).toBe('item.failed');
  expect(toldAs(asked('action_failed'), ['item.needs_you'])).toBe('item.needs_you');
  expect(toldAs(asked('idle'), ['item.done', 'item.failed'])).toBeUndefined();
});

test('what may be told is told in this order where several fit', () => {
  const orders = [...Object.keys(HOLDS).map((code) => held(code as HoldCode)), asked('action_failed')].map(fittingOf);
  const places = orders.map((types) => types.map((type) => WEBHOOK_EVENTS.indexOf(type)));
  expect(places.every((order) => order.every((place, index) => place > (order[index - 1] ?? -1)))).toBe(true);
});
