/** The front door of webhooks: adding and watching them, and the dispatcher that tells them. */
export { addWebhook, type NewWebhook } from './add-webhook.ts';
export { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatcher.ts';
export { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from './event-types.ts';
export { type LogPage, readLog } from './log.ts';
export {
  enableWebhook,
  findWebhook,
  listWebhooks,
  ownerOfDelivery,
  redeliver,
  removeWebhook,
  testWebhook,
} from './manage.ts';
export type { Attempt, Delivery, Kept, Webhook } from './records.ts';
export { isRefusal, type WebhookRefusal } from './refusal.ts';
export { type Answered, type Outgoing, type Send, type Sender, sendOverHttp } from './send.ts';
export { type DeliveryView, deliveryView, type WebhookView, webhookView } from './views.ts';
