import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { decodeCursor, encodeCursor, INVALID_CURSOR } from '../paging/cursor.ts';
import { asNumber, cut } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { ownersOf, spansBefore, spanView } from '../views/timeline.ts';
import { PAGE_OF_TIMELINE } from '../work-schemas.ts';
import { CURSOR, ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const timeline = createRoute({
  method: 'get',
  path: '/work-items/{id}/timeline',
  summary: 'What ran when, newest first: Runs of every Action, and requests of the Coordinator',
  request: { params: ITEM, query: z.object({ limit: limitOf(200, 500), cursor: CURSOR }) },
  responses: { 200: json(PAGE_OF_TIMELINE, 'A page; it may be empty and still have one behind it.'), ...REFUSALS },
});

/** Times of everything that ran, without what it said: what a picture of the whole is made of. */
export function readTimeline(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(timeline, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const { limit, cursor } = context.req.valid('query');
    const query = ['timeline', id];
    const before = cursor === undefined ? undefined : asNumber(decodeCursor(query, cursor) ?? '');
    if (cursor !== undefined && before === undefined) return problem(context, INVALID_CURSOR);
    const { spans, from } = await spansBefore(store, state, { before, limit });
    const { views, last } = cut(spans, limit, spanView);
    const next = last?.seq ?? from;
    const more = next > 0 ? { nextCursor: encodeCursor(query, next) } : {};
    return context.json({ spans: views, actions: ownersOf(state, views), ...more }, 200);
  });
}
