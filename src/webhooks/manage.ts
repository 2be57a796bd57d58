import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';
import { recordHealth, withAttempt } from './deliver.ts';
import { TEST_EVENT } from './event-types.ts';
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
import { isRefusal, type WebhookRefusal } from './refusal.ts';
import { type Sender, trySend } from './send.ts';

const LIST_NEXT = 'workcenter webhook ls, or GET /api/v1/webhooks, lists what there is.';

export const notFound = (id: string): WebhookRefusal => ({
  code: 'webhook_not_found',
  message: `There is no webhook ${id}.`,
  expected: 'the id of a webhook',
  found: id || 'nothing',
  next: LIST_NEXT,
});

/** Those that are removed stay for a while: more than anybody adds and removes before `up` runs again. */
const LISTED_MAX = 10_000;

/** All that there are, oldest first, with those whose removal is not at its end. */
export async function allWebhooks(store: Store): Promise<readonly Kept<Webhook>[]> {
  return (await store.listRecords(webhooks.name, { limit: LISTED_MAX })).map((row) => readAs(webhooks, row));
}

/** All that there are, oldest first. */
export const listWebhooks = async (store: Store): Promise<readonly Kept<Webhook>[]> =>
  (await allWebhooks(store)).filter(({ value }) => !value.removed);

export async function findWebhook(store: Store, id: string): Promise<Kept<Webhook> | WebhookRefusal> {
  const found = await getKept(store, webhooks, id);
  return found && !found.value.removed ? found : notFound(id);
}

async function dropWhatItHas(store: Store, id: string): Promise<void> {
  await dropAll(store, queuesOf(id));
  await dropAll(store, deliveriesOf(id));
  await store.dropRecord(positions.name, id);
}

/**
 * From here on nothing is sent to it; its secret and its log are gone. A mark is left: a dispatcher that is just making
 * deliveries for it leaves some behind, and drops them with the mark when it sees it (`endRemoval`).
 */
export async function removeWebhook(store: Store, id: string): Promise<WebhookRefusal | undefined> {
  const found = await findWebhook(store, id);
  if (isRefusal(found)) return found;
  await changeKept(store, webhooks, id, ({ value }) => ({ value: { ...value, secret: '', removed: true } }));
  await dropWhatItHas(store, id);
  return undefined;
}

/** For the dispatcher only, while it makes nothing for it. */
export async function endRemoval(store: Store, id: string): Promise<void> {
  await dropWhatItHas(store, id);
  await store.dropRecord(webhooks.name, id);
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
  const isStillThere = !isRefusal(await findWebhook(store, id));
  if (isStillThere) await addKept(store, deliveriesOf(id), { id: messageId, at, value });
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
