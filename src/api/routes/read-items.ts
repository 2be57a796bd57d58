import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ItemState, StoredEvent } from '../../core/index.ts';
import type { ApiDeps } from '../deps.ts';
import { problem } from '../problem.ts';
import { ENTRY, EVENT, HEAD, PAGE_OF_ITEMS, REQUEST } from '../schemas.ts';
import { headView } from '../views/head.ts';
import { ITEM, json, limitOf } from './json.ts';
import { REFUSALS } from './refusals.ts';

const whole = (max: number) => z.coerce.number().int().min(0).max(max);

const list = createRoute({
  method: 'get',
  path: '/work-items',
  summary: 'Items, newest first, with the number in each lane',
  request: {
    query: z.object({
      lane: z.enum(['needs_you', 'active', 'done', 'draft']).optional(),
      q: z.string().max(200).optional(),
      directory: z.string().max(4_096).optional(),
      limit: limitOf(50, 500),
      cursor: z.string().max(500).optional(),
    }),
  },
  responses: { 200: json(PAGE_OF_ITEMS, 'A page.'), ...REFUSALS },
});

const head = createRoute({
  method: 'get',
  path: '/work-items/{id}',
  summary: 'One item: contract, proof, cost, what may be done now',
  request: { params: ITEM },
  responses: { 200: json(HEAD, 'Its head; the ETag is its version.'), ...REFUSALS },
});

const events = createRoute({
  method: 'get',
  path: '/work-items/{id}/events',
  summary: 'What happened, oldest first',
  request: {
    params: ITEM,
    query: z.object({ after: whole(Number.MAX_SAFE_INTEGER).default(0), limit: whole(1_000).default(200) }),
  },
  responses: { 200: json(z.object({ events: z.array(EVENT) }), 'A page.'), ...REFUSALS },
});

const conversation = createRoute({
  method: 'get',
  path: '/work-items/{id}/conversation',
  summary: 'What was said, in order; the last entries unless told otherwise',
  request: {
    params: ITEM,
    query: z.object({
      after: whole(Number.MAX_SAFE_INTEGER).optional(),
      before: whole(Number.MAX_SAFE_INTEGER).optional(),
      limit: limitOf(50, 200),
    }),
  },
  responses: { 200: json(z.object({ entries: z.array(ENTRY) }), 'A page.'), ...REFUSALS },
});

const requests = createRoute({
  method: 'get',
  path: '/work-items/{id}/requests',
  summary: 'What waits for a person',
  request: { params: ITEM },
  responses: { 200: json(z.object({ requests: z.array(REQUEST) }), 'All open requests.'), ...REFUSALS },
});

export const itemNotFound = (context: Context, id: string) =>
  problem(context, { code: 'item_not_found', message: `There is no item ${id}.`, next: 'GET /api/v1/work-items' });

export const etagOf = ({ version }: Pick<ItemState, 'version'>): string => `"${version}"`;

/** Reading: nothing in here changes anything, and every answer has a bound. */
export function readItems(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(list, async (context) => {
    const { lane, q, directory, limit, cursor } = context.req.valid('query');
    const query = {
      limit,
      ...(lane === undefined ? {} : { lane }),
      ...(q === undefined ? {} : { search: q }),
      ...(directory === undefined ? {} : { directory }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await store.list(query).catch((error: unknown) => {
      if (error instanceof RangeError) return undefined;
      throw error;
    });
    if (!page) return problem(context, { code: 'invalid_request', message: 'The cursor is not of this list.' });
    const { items, counts, nextCursor } = page;
    return context.json({ items: [...items], counts, ...(nextCursor === undefined ? {} : { nextCursor }) }, 200);
  });
  app.openapi(head, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json(headView(state), 200, { ETag: etagOf(state) });
  });
  app.openapi(events, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const { after, limit } = context.req.valid('query');
    const found = await store.events(id, { after, limit });
    return context.json({ events: found.map(eventView) }, 200);
  });
  app.openapi(conversation, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const { after, before, limit } = context.req.valid('query');
    const span = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }), limit };
    const entries = await store.entries(id, span);
    return context.json({ entries: entries.map(entryView) }, 200);
  });
  app.openapi(requests, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json({ requests: state.requests.map(requestView) }, 200);
  });
}

type StoredEntry = Awaited<ReturnType<ApiDeps['store']['entries']>>[number];

const entryView = (entry: StoredEntry) => ({
  seq: entry.seq,
  id: entry.entryId,
  at: entry.at,
  author: entry.author,
  target: { kind: entry.targetKind, id: entry.targetId },
  text: entry.text,
  quote: entry.quote ? { ...entry.quote } : null,
  attachments: entry.attachments.map(({ name, bytes, mediaType }) => ({ name, bytes, mediaType })),
  delivery: entry.delivery,
  detail: entry.detail,
});

/** As it is stored: its own type says what else is in it. */
export const eventView = ({ seq, at, body }: StoredEvent) => ({
  seq,
  at,
  body: body as { readonly type: string; readonly [part: string]: unknown },
});

const requestView = ({ details, choices, options, ...request }: ItemState['requests'][number]) => ({
  ...request,
  details: [...details],
  choices: [...choices],
  ...(options === undefined ? {} : { options: [...options] }),
});
