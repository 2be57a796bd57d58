import { createHash, randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';
import { receiverUrl } from './address-rules.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from './event-types.ts';
import { listWebhooks, notFound } from './manage.ts';
import { addKept, getKept, type Kept, type Webhook, webhooks } from './records.ts';
import { invalid, isRefusal, type WebhookRefusal } from './refusal.ts';
import { newSecret, ownSecret } from './secret.ts';

/** Each is told by itself, all the time; more receivers than that want one that tells the others. */
export const WEBHOOKS_MAX = 32;
const ID_BYTES = 8;

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
  /** The same wish under the same key is the same webhook. */
  readonly key?: string;
}

type Wanted = Pick<Webhook, 'url' | 'events'> & { readonly secret?: string };

function wantedOf({ url: text, events: names, secret: own }: NewWebhook): Wanted | WebhookRefusal {
  const url = receiverUrl(text);
  if (isRefusal(url)) return url;
  const events = wantedEvents(names);
  if (isRefusal(events)) return events;
  const secret = own === undefined ? undefined : ownSecret(own);
  if (isRefusal(secret)) return secret;
  return { url, events: [...events], ...(secret === undefined ? {} : { secret }) };
}

const tooMany = (count: number): WebhookRefusal => ({
  code: 'webhook_limit',
  message: 'There are as many webhooks as there may be.',
  expected: `at most ${WEBHOOKS_MAX}`,
  found: `${count}`,
  next: 'Remove one that is not needed.',
});

const otherWish = (id: string): WebhookRefusal => ({
  code: 'idempotency_mismatch',
  message: 'Under this key another webhook was added.',
  expected: 'the same address, events and secret as before',
  found: `the key of ${id}`,
  next: 'Take a new key for another webhook.',
});

const idOf = (key: string | undefined): string =>
  `wh_${(key === undefined ? randomBytes(ID_BYTES) : createHash('sha256').update(key).digest().subarray(0, ID_BYTES)).toString('hex')}`;

/** What the first wish under a key led to. */
function asBefore(found: Kept<Webhook>, { url, events, secret }: Wanted): Kept<Webhook> | WebhookRefusal {
  const { value } = found;
  const isSame = value.url === url && `${value.events}` === `${events}` && (secret ?? value.secret) === value.secret;
  return isSame && !value.removed ? found : otherWish(found.id);
}

/** Adds a webhook that is told what happens from now on. What it answers is the only place that shows the secret. */
export async function addWebhook(store: Store, wish: NewWebhook, now: number): Promise<Kept<Webhook> | WebhookRefusal> {
  const wanted = wantedOf(wish);
  if (isRefusal(wanted)) return wanted;
  const id = idOf(wish.key);
  const before = await getKept(store, webhooks, id);
  if (before) return asBefore(before, wanted);
  const count = (await listWebhooks(store)).length;
  if (count >= WEBHOOKS_MAX) return tooMany(count);
  const { cursor: since } = await store.changedSince(undefined);
  const fresh = { failingSince: null, disabled: null, removed: false };
  const value: Webhook = { secret: newSecret(), ...wanted, createdAt: now, since, ...fresh };
  await addKept(store, webhooks, { id, at: now, value });
  // Another one may have been faster under the same key: then theirs is the webhook.
  const added = await getKept(store, webhooks, id);
  return added ? asBefore(added, wanted) : notFound(id);
}
