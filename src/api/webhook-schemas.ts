import { z } from '@hono/zod-openapi';
import { WEBHOOK_EVENTS } from '../webhooks/index.ts';

const EVENTS = z.array(z.enum(WEBHOOK_EVENTS));

export const WEBHOOK = z
  .object({
    id: z.string(),
    url: z.string().openapi({ description: 'What looks like a secret in it is not shown.' }),
    events: EVENTS,
    createdAt: z.string(),
    failingSince: z.string().nullable().openapi({ description: 'No delivery was accepted since.' }),
    disabled: z.object({ at: z.string(), code: z.enum(['gone', 'failing']), reason: z.string() }).nullable(),
  })
  .openapi('Webhook');

export const ADDED = WEBHOOK.extend({
  secret: z.string().openapi({ description: 'To verify what comes; shown this once.' }),
}).openapi('AddedWebhook');

export const DELIVERY = z
  .object({
    id: z.string().openapi({ description: 'The webhook-id of every attempt.' }),
    webhookId: z.string(),
    itemId: z.string().nullable().openapi({ description: 'Null for a test.' }),
    type: z.string(),
    state: z.enum(['waiting', 'delivered', 'failed']),
    createdAt: z.string(),
    nextAt: z.string().nullable(),
    attempts: z.array(
      z.object({
        at: z.string(),
        durationMs: z.number(),
        status: z.number().int().nullable(),
        error: z.string().nullable(),
        answer: z.string().openapi({ description: 'The beginning of what was answered.' }),
      }),
    ),
    body: z.string().openapi({ description: 'What is signed and sent.' }),
  })
  .openapi('Delivery');

export const PAGE_OF_DELIVERIES = z
  .object({ deliveries: z.array(DELIVERY), nextCursor: z.string().optional() })
  .openapi('DeliveryPage');

export const NEW_WEBHOOK = z
  .strictObject({
    url: z.string().max(4_000).openapi({ example: 'https://example.org/hooks/workcenter' }),
    events: EVENTS.min(1).optional().openapi({ description: 'All when left out.' }),
    secret: z.string().max(200).optional().openapi({ description: 'whsec_ and base64; made when left out.' }),
  })
  .openapi('NewWebhook');
