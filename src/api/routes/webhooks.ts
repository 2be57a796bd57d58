import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import {
  addWebhook,
  deliveryView,
  enableWebhook,
  findWebhook,
  isRefusal,
  listWebhooks,
  readLog,
  redeliver,
  removeWebhook,
  sendOverHttp,
  testWebhook,
  webhookView,
} from '../../webhooks/index.ts';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { ADDED, DELIVERY, NEW_WEBHOOK, PAGE_OF_DELIVERIES, WEBHOOK } from '../webhook-schemas.ts';
import { KEY } from './change.ts';
import { CURSOR, json, limitOf } from './json.ts';
import { REFUSALS } from './refusals.ts';

const ID = z.object({ id: z.string().min(1).max(64) });
const DELIVERY_ID = ID.extend({ deliveryId: z.string().min(1).max(64) });
const NOTHING = { body: { content: { 'application/json': { schema: z.strictObject({}) } }, required: true } } as const;

/** Who is told decides what leaves this machine: that takes a person. */
const byPerson: MiddlewareHandler = async (context, next) => {
  const { kind, name } = principalOf(context);
  if (kind === 'user' || context.req.method === 'GET') return next();
  const facts = { expected: 'a person', found: `${kind} ${name}`, next: 'A person does that: workcenter webhook.' };
  return problem(context, { code: 'user_required', message: 'Webhooks are a person’s to change.', ...facts });
};

const list = createRoute({
  method: 'get',
  path: '/webhooks',
  summary: 'Who is told, oldest first',
  responses: { 200: json(z.object({ webhooks: z.array(WEBHOOK) }), 'All of them.'), ...REFUSALS },
});

const add = createRoute({
  method: 'post',
  path: '/webhooks',
  summary: 'Tell a receiver what happens from now on; the answer is the only place that shows the secret',
  request: { headers: KEY, body: { content: { 'application/json': { schema: NEW_WEBHOOK } }, required: true } },
  responses: { 201: json(ADDED, 'It is told from now on.'), ...REFUSALS },
});

const read = createRoute({
  method: 'get',
  path: '/webhooks/{id}',
  summary: 'One webhook, and whether it is disabled',
  request: { params: ID },
  responses: { 200: json(WEBHOOK, 'As it is now.'), ...REFUSALS },
});

const remove = createRoute({
  method: 'delete',
  path: '/webhooks/{id}',
  summary: 'Tell it nothing more; its log goes with it',
  request: { params: ID },
  responses: { 204: { description: 'It is gone.' }, ...REFUSALS },
});

const test = createRoute({
  method: 'post',
  path: '/webhooks/{id}/test',
  summary: 'Send a signed test at once, once, and say what the receiver answered',
  request: { params: ID, ...NOTHING },
  responses: { 200: json(DELIVERY, 'What came of it.'), ...REFUSALS },
});

const enable = createRoute({
  method: 'post',
  path: '/webhooks/{id}/enable',
  summary: 'Let a disabled one go on where it stopped',
  request: { params: ID, ...NOTHING },
  responses: { 200: json(WEBHOOK, 'As it is now.'), ...REFUSALS },
});

const deliveries = createRoute({
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  summary: 'What it was told, newest first, with every attempt',
  request: { params: ID, query: z.object({ limit: limitOf(50, 200), cursor: CURSOR }) },
  responses: { 200: json(PAGE_OF_DELIVERIES, 'A page.'), ...REFUSALS },
});

const retry = createRoute({
  method: 'post',
  path: '/webhooks/{id}/deliveries/{deliveryId}/retry',
  summary: 'Send a delivery again, whatever became of it, under the same id',
  request: { params: DELIVERY_ID, ...NOTHING },
  responses: { 200: json(DELIVERY, 'It waits to be sent.'), ...REFUSALS },
});

const atOf = ({ at, id }: { readonly at: number; readonly id: string }): string => `${at} ${id}`;

function asPlace(position: string): { readonly at: number; readonly id: string } | undefined {
  const [, at, id = ''] = /^(\d{1,15}) (\S+)$/.exec(position) ?? [];
  return at === undefined ? undefined : { at: Number(at), id };
}

/** Reads of the log, page by page. */
function readRoutes(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(list, async (context) => {
    const all = await listWebhooks(store);
    return context.json({ webhooks: all.map(webhookView) }, 200);
  });
  app.openapi(read, async (context) => {
    const webhook = await findWebhook(store, context.req.valid('param').id);
    return isRefusal(webhook) ? problem(context, webhook) : context.json(webhookView(webhook), 200);
  });
  app.openapi(deliveries, async (context) => {
    const { id } = context.req.valid('param');
    const webhook = await findWebhook(store, id);
    if (isRefusal(webhook)) return problem(context, webhook);
    const page = await pageOf({
      ...{ query: ['deliveries', id], ...context.req.valid('query'), at: atOf, parse: asPlace, view: deliveryView },
      read: async (behind, limit) => (await readLog(store, id, { limit, ...saidOnly({ behind }) })).deliveries,
    });
    return page ? context.json({ deliveries: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
}

/** Who is told of what happens, beside those who ask. */
export function webhooks(app: OpenAPIHono, deps: ApiDeps): void {
  const { store, version } = deps;
  const { now } = deps.access;
  app.use('/webhooks/*', byPerson);
  readRoutes(app, deps);
  app.openapi(add, async (context) => {
    const { url, events = [], secret } = context.req.valid('json');
    const key = context.req.valid('header')['idempotency-key'];
    const said = saidOnly({ secret, key: key && `http:${key}` });
    const added = await addWebhook(store, { url, events, ...said }, now());
    if (isRefusal(added)) return problem(context, added);
    return context.json({ ...webhookView(added), secret: added.value.secret }, 201, { 'Cache-Control': 'no-store' });
  });
  app.openapi(remove, async (context) => {
    const refused = await removeWebhook(store, context.req.valid('param').id);
    return refused ? problem(context, refused) : context.body(null, 204);
  });
  app.openapi(test, async (context) => {
    const sender = { send: sendOverHttp, now, version };
    const tried = await testWebhook(store, sender, context.req.valid('param').id);
    return isRefusal(tried) ? problem(context, tried) : context.json(deliveryView(tried), 200);
  });
  app.openapi(enable, async (context) => {
    const enabled = await enableWebhook(store, context.req.valid('param').id);
    return isRefusal(enabled) ? problem(context, enabled) : context.json(webhookView(enabled), 200);
  });
  app.openapi(retry, async (context) => {
    const { id, deliveryId } = context.req.valid('param');
    const webhook = await findWebhook(store, id);
    if (isRefusal(webhook)) return problem(context, webhook);
    const again = await redeliver(store, id, deliveryId, now());
    return isRefusal(again) ? problem(context, again) : context.json(deliveryView(again), 200);
  });
}
