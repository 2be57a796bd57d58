import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';
import { receiverUrl } from './address-rules.ts';
import { recordHealth, withAttempt } from './deliver.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from './event-types.ts';
import { dropAll } from './log.ts';
import { enqueue } from './queue.ts';
import {
  addKept,
  changeKept,
  type Delivery,
  deliveriesOf,
  getKept,
  type Kept,
  positions,
  queuesOf,
  readAs,
  type Webhook,
  webhooks,
} from './records.ts';
import { invalid, isRefusal, type WebhookRefusal } from './refusal.ts';
import { newSecret, ownSecret } from './secret.ts';
import { type Sender, trySend } from './send.ts';

/** Each is told by itself, all the time; more receivers than that want one that tells the others. */
export const WEBHOOKS_MAX = 32;
const ID_BYTES = 8;

const LIST_NEXT = 'workcenter webhook ls, or GET /api/v1/webhooks, lists what there is.';

const notFound = (id: string): WebhookRefusal => ({
  code: 'webhook_not_found',
  message: `There is no webhook ${id}.`,
  expected: 'the id of a webhook',
  found: id || 'nothing',
  next: LIST_NEXT,
});

/** All that there are, oldest first. */
export async function listWebhooks(store: Store): Promise<readonly Kept<Webhook>[]> {
  const rows = await store.listRecords(webhooks.name, { limit: 2 * WEBHOOKS_MAX });
  return rows.map((row) => readAs(webhooks, row)).filter(({ value }) => !value.removed);
}

export async function findWebhook(store: Store, id: string): Promise<Kept<Webhook> | WebhookRefusal> {
  const found = await getKept(store, webhooks, id);
  return found && !found.value.removed ? found : notFound(id);
}

function wantedEvents(names: readonly string[]): readonly WebhookEvent[] | WebhookRefusal {
  const unknown = names.find((name) => !WEBHOOK_EVENTS.some((event) => event === name));
  if (unknown !== undefined) {
    return invalid('That is nothing to be told of.', WEBHOOK_EVENTS.join(', '), unknown, 'Leave it out for all.');
  }
  return names.length === 0 ? WEBHOOK_EVENTS : WEBHOOK_EVENTS.filter((event) => names.includes(event));
}

export interface NewWebhook {
  readonly url: string;
  /** All when empty. */
  readonly events: readonly string[];
  /** Made when left out. */
  readonly secret?: string;
}

/** Adds a webhook that is told what happens from now on. What it answers is the only place that shows the secret. */
export async function addWebhook(store: Store, wish: NewWebhook, now: number): Promise<Kept<Webhook> | WebhookRefusal> {
  const url = receiverUrl(wish.url);
  if (isRefusal(url)) return url;
  const events = wantedEvents(wish.events);
  if (isRefusal(events)) return events;
  const secret = wish.secret === undefined ? newSecret() : ownSecret(wish.secret);
  if (isRefusal(secret)) return secret;
  const count = (await listWebhooks(store)).length;
  if (count >= WEBHOOKS_MAX) {
    const facts = { expected: `at most ${WEBHOOKS_MAX}`, found: `${count}`, next: 'Remove one that is not needed.' };
    return { code: 'webhook_limit', message: 'There are as many webhooks as there may be.', ...facts };
  }
  const { cursor: since } = await store.changedSince(undefined);
  const fresh = { failingSince: null, disabled: null, removed: false };
  const value: Webhook = { url, secret, events: [...events], createdAt: now, since, ...fresh };
  const id = `wh_${randomBytes(ID_BYTES).toString('hex')}`;
  await addKept(store, webhooks, { id, at: now, value });
  return { kind: webhooks.name, id, at: now, version: 1, value };
}

/** Drops everything that belongs to a webhook, and itself at last. */
async function dropWebhook(store: Store, id: string): Promise<void> {
  await dropAll(store, queuesOf(id));
  await dropAll(store, deliveriesOf(id));
  await store.dropRecord(positions.name, id);
  await store.dropRecord(webhooks.name, id);
}

/** From here on nothing is sent to it; its secret and its log are gone. */
export async function removeWebhook(store: Store, id: string): Promise<WebhookRefusal | undefined> {
  const found = await findWebhook(store, id);
  if (isRefusal(found)) return found;
  // A mark first: whoever dies in between leaves something that the next one finds (`sweepRemoved`).
  await changeKept(store, webhooks, id, ({ value }) => ({ value: { ...value, secret: '', removed: true } }));
  await dropWebhook(store, id);
  return undefined;
}

/** Ends what somebody who removed a webhook did not bring to its end. */
export async function sweepRemoved(store: Store): Promise<void> {
  const rows = await store.listRecords(webhooks.name, { limit: 2 * WEBHOOKS_MAX });
  for (const { id, value } of rows.map((row) => readAs(webhooks, row))) if (value.removed) await dropWebhook(store, id);
}

/** A disabled webhook goes on where it stopped: what waits is sent, and what happened meanwhile is told. */
export async function enableWebhook(store: Store, id: string): Promise<Kept<Webhook> | WebhookRefusal> {
  const found = await findWebhook(store, id);
  if (isRefusal(found)) return found;
  const enabled = await changeKept(store, webhooks, id, ({ value }) => {
    if (value.removed || value.disabled === null) return undefined;
    return { value: { ...value, disabled: null, failingSince: null } };
  });
  return enabled ?? notFound(id);
}

/** Sends one message to see what the receiver says: at once, once, also to a disabled webhook. It is in the log. */
export async function testWebhook(store: Store, sender: Sender, id: string): Promise<Kept<Delivery> | WebhookRefusal> {
  const webhook = await findWebhook(store, id);
  if (isRefusal(webhook)) return webhook;
  const { url, secret } = webhook.value;
  const at = sender.now();
  const messageId = `msg_${randomBytes(16).toString('hex')}`;
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: new Date(at).toISOString(), data: { webhookId: id } });
  const tried = await trySend(sender, { id: messageId, url, secret, body }, new AbortController().signal);
  const value: Delivery = {
    webhookId: id,
    itemId: null,
    type: TEST_EVENT,
    createdAt: at,
    body,
    state: tried.accepted ? 'delivered' : 'failed',
    tries: 1,
    nextAt: null,
    attempts: withAttempt([], tried.attempt),
  };
  await addKept(store, deliveriesOf(id), { id: messageId, at, value });
  if (tried.accepted) await recordHealth(store, id, tried);
  return { kind: deliveriesOf(id).name, id: messageId, at, version: 1, value };
}

const noDelivery = (id: string): WebhookRefusal => ({
  code: 'delivery_not_found',
  message: `There is no delivery ${id}.`,
  expected: 'the id of a delivery of a webhook that is there',
  found: id || 'nothing',
  next: 'workcenter webhook log ID, or GET /api/v1/webhooks/{id}/deliveries, lists them.',
});

/** Sends a delivery again, whatever became of it: under the same id, behind what its item has waiting. */
export async function redeliver(
  store: Store,
  webhookId: string,
  id: string,
  now: number,
): Promise<Kept<Delivery> | WebhookRefusal> {
  const again = await changeKept(store, deliveriesOf(webhookId), id, ({ value }) => {
    if (value.itemId === null) return undefined;
    return { value: { ...value, state: 'waiting' as const, tries: 0, nextAt: now } };
  });
  if (!again) return noDelivery(id);
  const { itemId } = again.value;
  if (itemId === null) {
    const facts = { expected: 'the delivery of an event', found: `${id}, a test`, next: 'Test the webhook once more.' };
    return { code: 'invalid_webhook', message: 'A test is not sent again.', ...facts };
  }
  await enqueue(store, { webhookId, itemId, deliveryId: id }, now, true);
  return again;
}

/** The webhook whose delivery it is. */
export async function ownerOfDelivery(store: Store, id: string): Promise<Kept<Webhook> | WebhookRefusal> {
  for (const webhook of await listWebhooks(store)) {
    if (await store.getRecord(deliveriesOf(webhook.id).name, id)) return webhook;
  }
  return noDelivery(id);
}
