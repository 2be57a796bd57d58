import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { asNumber, cut, pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { PAGE_OF_ENTRIES, PAGE_OF_EVENTS, PAGE_OF_REQUESTS } from '../schemas.ts';
import { entryView, eventView, requestView } from '../views/entry.ts';
import { CURSOR, ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

/** The number of an event: what the SSE stream has as its id. */
const SEQ = z.coerce.number().int().min(0).max(999_999_999);

const TYPE = z.string().regex(/^[A-Za-z]{1,40}$/, 'the type of an event, such as RunSettled');
const MOST_TYPES = 64;

/** Once or several times in the address. */
const TYPES = z
  .union([TYPE, z.array(TYPE).max(MOST_TYPES)])
  .transform((said) => (typeof said === 'string' ? [said] : said))
  .optional()
  .openapi({
    param: { name: 'type', in: 'query' },
    type: 'array',
    items: { type: 'string' },
    description: 'Only events of this type; may be said again.',
  });

const events = createRoute({
  method: 'get',
  path: '/work-items/{id}/events',
  summary: 'What happened, oldest first',
  request: { params: ITEM, query: z.object({ after: SEQ.default(0), limit: limitOf(200, 1_000), type: TYPES }) },
  responses: { 200: json(PAGE_OF_EVENTS, 'A page.'), ...REFUSALS },
});

const conversation = createRoute({
  method: 'get',
  path: '/work-items/{id}/conversation',
  summary: 'What was said, in order; the last entries unless told otherwise',
  request: {
    params: ITEM,
    query: z.object({
      after: SEQ.optional().openapi({ type: 'integer', description: 'The first entries behind this event.' }),
      before: SEQ.optional().openapi({ type: 'integer', description: 'The last entries before this event.' }),
      limit: limitOf(50, 200),
    }),
  },
  responses: { 200: json(PAGE_OF_ENTRIES, 'A page.'), ...REFUSALS },
});

const requests = createRoute({
  method: 'get',
  path: '/work-items/{id}/requests',
  summary: 'What waits for a person',
  request: { params: ITEM, query: z.object({ limit: limitOf(50, 200), cursor: CURSOR }) },
  responses: { 200: json(PAGE_OF_REQUESTS, 'A page of the open requests, oldest first.'), ...REFUSALS },
});

/** Requests are numbered in the order in which they were opened: r1, r2… */
const numberOf = ({ id }: { readonly id: string }): number => Number(id.slice(1));

/** What happened to an item, what was said to it, and what it asks. */
export function readTalk(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(events, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const { after, limit, type: types } = context.req.valid('query');
    const found = await store.events(id, { after, limit: limit + 1, ...saidOnly({ types }) });
    const { views, last } = cut(found, limit, eventView);
    return context.json({ events: views, more: last !== undefined }, 200);
  });
  app.openapi(conversation, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const { after, before, limit } = context.req.valid('query');
    const rows = await store.entries(id, { ...saidOnly({ after, before }), limit: limit + 1 });
    // A page that was asked for from its end loses its beginning.
    const isForward = after !== undefined;
    const { views, last } = cut(isForward ? rows : rows.toReversed(), limit, entryView);
    return context.json({ entries: isForward ? views : views.reverse(), more: last !== undefined }, 200);
  });
  app.openapi(requests, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const page = await pageOf({
      ...{ query: ['requests', id], ...context.req.valid('query'), parse: asNumber, at: numberOf },
      read: (behind = 0) => state.requests.filter((request) => numberOf(request) > behind),
      view: (request) => requestView(state, request),
    });
    return page ? context.json({ requests: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
}
