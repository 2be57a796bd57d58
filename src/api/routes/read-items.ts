import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ItemState } from '../../core/index.ts';
import { encodeCursor as placeOf } from '../../store/list-cursor.ts';
import type { ItemSummary, ListPage, ListQuery } from '../../store/store.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { decodeCursor, encodeCursor, INVALID_CURSOR, type Query } from '../paging/cursor.ts';
import { asText, cut, pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { HEAD, PAGE_OF_DIRECTORIES, PAGE_OF_ITEMS } from '../schemas.ts';
import { atWorkOf } from '../views/at-work.ts';
import { headView } from '../views/head.ts';
import { ITEM, json, limitOf } from './json.ts';
import { REFUSALS } from './refusals.ts';

/** Directories that come with a list; the others are read from their own route. */
const FACETS = 50;
/** A cursor of directories holds the path of one. */
const DIRECTORY_CURSOR_CHARS = 8_192;

const list = createRoute({
  method: 'get',
  path: '/work-items',
  summary: 'Items, newest change first, with the number in each lane',
  request: {
    query: z.object({
      lane: z.enum(['needs_you', 'active', 'done', 'draft']).optional(),
      q: z.string().max(200).optional().openapi({ description: 'Looked for in title and goal.' }),
      directory: z.string().max(4_096).optional().openapi({ description: 'Exactly this one.' }),
      origin: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .openapi({ description: 'Created by this tool: its `origin.client`.' }),
      session: z.string().min(1).max(256).optional().openapi({ description: 'Created in this session of a tool.' }),
      updatedFrom: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .openapi({
          type: 'integer',
          description: 'Milliseconds; only what changed since. What needs a person is listed however old it is.',
        }),
      facets: z
        .enum(['true', 'false'])
        .default('false')
        .openapi({ description: 'With the directories to choose from.' }),
      limit: limitOf(50, 500),
      cursor: z.string().max(500).optional(),
    }),
  },
  responses: { 200: json(PAGE_OF_ITEMS, 'A page.'), ...REFUSALS },
});

const facets = createRoute({
  method: 'get',
  path: '/work-items/facets',
  summary: 'Directories that items are in, by name, with the number in each lane',
  request: {
    query: z.object({ limit: limitOf(FACETS, 500), cursor: z.string().max(DIRECTORY_CURSOR_CHARS).optional() }),
  },
  responses: { 200: json(PAGE_OF_DIRECTORIES, 'A page.'), ...REFUSALS },
});

const head = createRoute({
  method: 'get',
  path: '/work-items/{id}',
  summary: 'One item: contract, proof, cost, what may be done now',
  request: { params: ITEM },
  responses: { 200: json(HEAD, 'Its head; the ETag is its version.'), ...REFUSALS },
});

export const itemNotFound = (context: Context, id: string) =>
  problem(context, { code: 'item_not_found', message: `There is no item ${id}.`, next: 'GET /api/v1/work-items' });

export const etagOf = ({ version }: Pick<ItemState, 'version'>): string => `"${version}"`;

const summaryView = async (store: ApiDeps['store'], { marks, ...item }: ItemSummary) => ({
  ...item,
  atWork: [...(await atWorkOf(store, item))],
  ...(marks ? { marks: [...marks] } : {}),
});

/** Undefined for a place that no list has answered. */
const pageIn = (store: ApiDeps['store'], query: ListQuery): Promise<ListPage | undefined> =>
  store.list(query).catch((error: unknown) => {
    if (error instanceof RangeError) return undefined;
    throw error;
  });

const directoriesOf = ({ store }: Pick<ApiDeps, 'store'>, limit: number, cursor?: string) =>
  pageOf({
    ...{ query: ['directories'], limit, cursor, parse: asText },
    read: (after, most) => store.directories(saidOnly({ after, limit: most })),
    at: ({ directory }) => directory,
    view: (facet) => ({ ...facet }),
  });

/** Items and what to find them by: nothing in here changes anything, and every answer has a bound. */
export function readItems(app: OpenAPIHono, deps: ApiDeps): void {
  const { store } = deps;
  app.openapi(list, async (context) => {
    const { q: search, origin, session, limit, cursor, facets: wanted, ...filters } = context.req.valid('query');
    const { lane, directory, updatedFrom } = filters;
    const query: Query = ['items', search, origin, session, lane, directory, updatedFrom];
    const from = cursor === undefined ? undefined : decodeCursor(query, cursor);
    const isOther = cursor !== undefined && from === undefined;
    const page = isOther
      ? undefined
      : await pageIn(store, {
          limit,
          ...saidOnly({ ...filters, search, originClient: origin, originSession: session, cursor: from }),
        });
    if (!page) return problem(context, INVALID_CURSOR);
    const found = await Promise.all(page.items.map((item) => summaryView(store, item)));
    const { views: items, last } = cut(found, limit, (item) => item);
    const place = last ? placeOf(last) : page.nextCursor;
    const next = place === undefined ? {} : { nextCursor: encodeCursor(query, place) };
    const directories = wanted === 'true' ? await directoriesOf(deps, FACETS) : undefined;
    const more = directories ? { facets: { directories: directories.views, ...directories.more } } : {};
    return context.json({ items, counts: page.counts, ...next, ...more }, 200);
  });
  // Before the route of one item, which would take it for its name.
  app.openapi(facets, async (context) => {
    const { limit, cursor } = context.req.valid('query');
    const page = await directoriesOf(deps, limit, cursor);
    return page ? context.json({ directories: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
  app.openapi(head, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json(headView(state), 200, { ETag: etagOf(state) });
  });
}
