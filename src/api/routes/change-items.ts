import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Choice } from '../../core/index.ts';
import { isAttachmentRefusal } from '../../engine/attachments/refusal.ts';
import { uploadsFor } from '../../engine/attachments/uploads.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { AMOUNTS, ATTACHMENTS } from '../goal/schema.ts';
import { problem } from '../problem.ts';
import { change, changing, TEXT } from './change.ts';
import { ITEM } from './json.ts';

const MESSAGE = z
  .strictObject({
    target: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('coordinator') }),
      z.strictObject({ kind: z.literal('action'), actionId: z.string(), generation: z.number().int().optional() }),
    ]),
    text: z.string(),
    attachments: ATTACHMENTS.optional(),
    quote: z.strictObject({ from: z.string().max(256), text: z.string() }).optional(),
    clientMessageId: z.string().min(1).max(128),
  })
  .openapi('NewMessage');

const RESOLUTION = z
  .strictObject({
    choice: z.string().max(64).openapi({ description: 'One of those that the request offers.' }),
    text: TEXT.default(''),
    attachments: ATTACHMENTS.optional(),
    clientMessageId: z.string().max(128).optional(),
  })
  .openapi('Resolution');

const messages = changing('/work-items/{id}/messages', 'Say something to the Coordinator or an Action', ITEM, MESSAGE);
const resolution = changing(
  '/work-items/{id}/requests/{requestId}/resolution',
  'Answer a request, once',
  ITEM.extend({ requestId: z.string().min(1).max(32) }),
  RESOLUTION,
);
const NOTHING = z.strictObject({});
const start = changing('/work-items/{id}/start', 'Start a draft', ITEM, NOTHING);
const reopen = changing('/work-items/{id}/reopen', 'Take up a cancelled item again', ITEM, NOTHING);
const STOP = z.strictObject({ reason: TEXT.default('') });
const stop = changing('/work-items/{id}/stop', 'Stop; what is done is kept', ITEM, STOP);
const RESUME = z.strictObject({ controlVersion: z.number().int() });
const resume = changing('/work-items/{id}/resume', 'Clear a hold', ITEM, RESUME);
const EXTENSION = AMOUNTS.extend({ controlVersion: z.number().int() }).openapi('Extension');
const extend = changing('/work-items/{id}/extend', 'Add to its limits; it stays held until resumed', ITEM, EXTENSION);

/** The files that a body names; what the item has already may be named again by a retry. */
async function filesFor({ store, access }: ApiDeps, itemId: string, ids: readonly string[] = []) {
  const state = ids.length === 0 ? undefined : await store.load(itemId);
  return uploadsFor(store, ids, state?.attachments ?? [], access.now());
}

/** What a person says to an item, and what becomes of it. */
export function changeItems(app: OpenAPIHono, deps: ApiDeps): void {
  app.openapi(messages, async (context) => {
    const { id } = context.req.valid('param');
    const { target, text, quote, clientMessageId, attachments: ids } = context.req.valid('json');
    const { generation, ...to } = { generation: undefined, ...target };
    const fence = generation === undefined ? {} : { generation };
    const attachments = await filesFor(deps, id, ids);
    if (isAttachmentRefusal(attachments)) return problem(context, attachments);
    const said = { text, attachments, ...(quote ? { quote } : {}) };
    return change(deps, context, id, { type: 'PostMessage', target: to, ...fence, ...said }, clientMessageId);
  });
  app.openapi(resolution, async (context) => {
    const { id, requestId } = context.req.valid('param');
    const { choice, text, clientMessageId, attachments: ids } = context.req.valid('json');
    const attachments = await filesFor(deps, id, ids);
    if (isAttachmentRefusal(attachments)) return problem(context, attachments);
    // What is not offered is refused by the core, in its own words.
    const body = { type: 'AnswerRequest', requestId, choice: choice as Choice, text, attachments } as const;
    return change(deps, context, id, body, clientMessageId);
  });
  app.openapi(start, (context) => change(deps, context, context.req.valid('param').id, { type: 'StartItem' }));
  app.openapi(reopen, (context) => change(deps, context, context.req.valid('param').id, { type: 'ReopenItem' }));
  app.openapi(stop, (context) => {
    const reason = context.req.valid('json').reason.trim() || 'stopped over HTTP';
    return change(deps, context, context.req.valid('param').id, { type: 'StopItem', reason });
  });
  app.openapi(resume, (context) => {
    const { controlVersion } = context.req.valid('json');
    return change(deps, context, context.req.valid('param').id, { type: 'ResumeItem', controlVersion });
  });
  app.openapi(extend, (context) => {
    const { controlVersion, ...amounts } = context.req.valid('json');
    const body = { type: 'ExtendBudget', controlVersion, ...saidOnly(amounts) } as const;
    return change(deps, context, context.req.valid('param').id, body);
  });
}
