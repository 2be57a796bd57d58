import type { Webhook } from '../../../src/client/index.ts';

type WebhookEvent = Webhook['events'][number];

/** What a webhook can be told of. The type says it when one is missing. */
const ALL: Readonly<Record<WebhookEvent, true>> = {
  'item.done': true,
  'item.cancelled': true,
  'item.held': true,
  'item.failed': true,
  'item.needs_you': true,
};

export const EVENTS = Object.keys(ALL) as readonly WebhookEvent[];
