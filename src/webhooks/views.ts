import { redact } from '../text/redact.ts';
import type { Attempt, Delivery, Kept, Webhook } from './records.ts';

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A webhook as people and programs see it: never with its secret, nor with one that stands in its address. */
export const webhookView = ({ id, value }: Kept<Webhook>) => ({
  id,
  url: redact(value.url, []),
  events: [...value.events],
  createdAt: iso(value.createdAt),
  failingSince: isoOrNull(value.failingSince),
  disabled: value.disabled && { ...value.disabled, at: iso(value.disabled.at) },
});
export type WebhookView = ReturnType<typeof webhookView>;

const attemptView = ({ at, durationMs, status, error, answer }: Attempt) => ({
  at: iso(at),
  durationMs,
  status: status ?? null,
  error: error ?? null,
  answer,
});

/** `body` is what was signed; `id` goes with it as `webhook-id`. */
export const deliveryView = ({ id, value }: Kept<Delivery>) => ({
  id,
  webhookId: value.webhookId,
  itemId: value.itemId,
  type: value.type,
  state: value.state,
  createdAt: iso(value.createdAt),
  nextAt: isoOrNull(value.nextAt),
  attempts: value.attempts.map(attemptView),
  body: value.body,
});
export type DeliveryView = ReturnType<typeof deliveryView>;
