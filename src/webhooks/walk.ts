import type { StoredEvent } from '../core/index.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import { toldAs, type WebhookEvent } from './event-types.ts';
import { payloadOf } from './payload.ts';
import { enqueue } from './queue.ts';
import {
  addKept,
  changeKept,
  type Delivery,
  deliveriesOf,
  deliveryId,
  getKept,
  type Kept,
  positions,
  type Webhook,
} from './records.ts';

/** How far a webhook has got. What lies between `saved` and `cursor` made nothing, so that walking it again is free. */
export interface Walked {
  readonly cursor: number;
  readonly saved: number;
}

/** After so many events without anything to tell the position is saved all the same. */
const SAVE_EVERY = 500;

interface Told {
  readonly event: StoredEvent;
  readonly type: WebhookEvent;
}

type Webhooked = Pick<Kept<Webhook>, 'id' | 'value'>;

export async function walkedBefore(store: Store, { id, value }: Webhooked): Promise<Walked> {
  const cursor = (await getKept(store, positions, id))?.value.cursor ?? value.since;
  return { cursor, saved: cursor };
}

async function savePosition(store: Store, id: string, cursor: number, now: number): Promise<void> {
  if (await addKept(store, positions, { id, at: now, value: { cursor } })) return;
  await changeKept(store, positions, id, ({ value }) =>
    value.cursor < cursor ? { at: now, value: { cursor } } : undefined,
  );
}

/** Makes one delivery, or finds it made: its id says which event it is of. Both writes may be repeated. */
async function makeDelivery(store: Store, webhookId: string, itemId: string, made: Delivery & { id: string }) {
  const { id, ...value } = made;
  const kind = deliveriesOf(webhookId);
  const isNew = await addKept(store, kind, { id, at: value.createdAt, value });
  const isWaiting = isNew || (await getKept(store, kind, id))?.value.state === 'waiting';
  if (isWaiting) await enqueue(store, { webhookId, itemId, deliveryId: id }, value.createdAt);
}

async function tell(store: Store, webhook: Webhooked, itemId: string, told: readonly Told[], now: number) {
  const state = told.length > 0 ? await store.load(itemId) : undefined;
  if (!state) return 0;
  for (const { event, type } of told) {
    await makeDelivery(store, webhook.id, itemId, {
      id: deliveryId(webhook.id, itemId, event.seq),
      webhookId: webhook.id,
      itemId,
      type,
      createdAt: now,
      body: JSON.stringify(payloadOf(state, event, type)),
      state: 'waiting',
      tries: 0,
      nextAt: now,
      attempts: [],
    });
  }
  return told.length;
}

const pickTold = (events: readonly StoredEvent[], { events: wanted }: Webhook): readonly Told[] =>
  events.flatMap((event) => {
    const type = toldAs(event.body, wanted);
    return type === undefined ? [] : [{ event, type }];
  });

/** An item that cannot be read has nothing to tell; the others go on. Answers how many deliveries there are of it. */
async function walkItem(
  store: Store,
  webhook: Webhooked,
  { itemId, first, version }: { readonly itemId: string; readonly first: number; readonly version: number },
  now: number,
): Promise<number> {
  try {
    const events = await store.events(itemId, { after: first - 1, limit: version - first + 1 });
    return await tell(store, webhook, itemId, pickTold(events, webhook.value), now);
  } catch (error) {
    if (isStoreError(error) && error.code === 'item_quarantined') return 0;
    throw error;
  }
}

/**
 * Makes deliveries of what happened since the webhook looked last: at most a page of events. The position is saved after
 * the deliveries, never before: a death in between repeats what may be repeated. Answers the new position; with an
 * unmoved cursor there was nothing.
 */
export async function walk(store: Store, webhook: Webhooked, from: Walked, now: number): Promise<Walked> {
  const { cursor, items } = await store.changedSince(from.cursor);
  let made = 0;
  for (const item of items) made += await walkItem(store, webhook, item, now);
  const mustSave = cursor > from.cursor && (made > 0 || cursor - from.saved >= SAVE_EVERY);
  if (mustSave) await savePosition(store, webhook.id, cursor, now);
  return { cursor, saved: mustSave ? cursor : from.saved };
}
