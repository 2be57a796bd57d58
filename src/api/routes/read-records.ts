import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { goalOf, type ItemState } from '../../core/index.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { asNumber, asText, pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { callView } from '../views/call.ts';
import { canResolve } from '../views/can.ts';
import { proofView } from '../views/proof.ts';
import { PAGE_OF_CALLS, PAGE_OF_OPERATIONS, PAGE_OF_PROOF } from '../work-schemas.ts';
import { CURSOR, ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const calls = createRoute({
  method: 'get',
  path: '/work-items/{id}/calls',
  summary: 'Model requests, newest first: tokens, cost, hashes of what was sent and answered',
  request: {
    params: ITEM,
    query: z.object({
      owner: z.string().max(64).optional().openapi({ description: 'A Run, or a turn of the Coordinator.' }),
      limit: limitOf(100, 500),
      cursor: CURSOR,
    }),
  },
  responses: { 200: json(PAGE_OF_CALLS, 'A page.'), ...REFUSALS },
});

const PAGE = z.object({ limit: limitOf(100, 200), cursor: CURSOR });

const evidence = createRoute({
  method: 'get',
  path: '/work-items/{id}/evidence',
  summary: 'What proves each criterion, with the receipt of the check',
  request: { params: ITEM, query: PAGE },
  responses: { 200: json(PAGE_OF_PROOF, 'A page, in the order of the contract.'), ...REFUSALS },
});

const operations = createRoute({
  method: 'get',
  path: '/work-items/{id}/operations',
  summary: 'Effects outside that are on their way, or whose end is not known',
  request: { params: ITEM, query: PAGE },
  responses: { 200: json(PAGE_OF_OPERATIONS, 'A page, by id.'), ...REFUSALS },
});

const operationView = (state: ItemState, operation: ItemState['operations'][number]) => ({
  ...operation,
  tool: operation.tool ?? null,
  can: { resolve: canResolve(state, operation) },
});

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/** What was recorded beside the conversation: what it cost, what proves it, what it did outside. */
export function readRecords(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(calls, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const { owner: ownerId, ...asked } = context.req.valid('query');
    const page = await pageOf({
      ...{ query: ['calls', id, ownerId], ...asked, parse: asNumber },
      read: (before, limit) => store.calls(id, { limit, ...saidOnly({ before, ownerId }) }),
      at: ({ seq }) => seq,
      view: (row) => callView(row, state.contract.directory),
    });
    return page ? context.json({ calls: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
  app.openapi(evidence, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const criteria = goalOf(state).criteria.map((criterion, at) => ({ ...criterion, at: at + 1 }));
    const page = await pageOf({
      // A place in a list that has changed since is nowhere.
      ...{ query: ['evidence', id, state.contractVersion], ...context.req.valid('query'), parse: asNumber },
      read: (behind = 0) => criteria.slice(behind),
      at: ({ at }) => at,
      view: proofView,
    });
    return page ? context.json({ criteria: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
  app.openapi(operations, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const page = await pageOf({
      ...{ query: ['operations', id], ...context.req.valid('query'), parse: asText },
      read: (behind = '') => state.operations.filter((each) => each.id > behind).toSorted(byId),
      at: (each) => each.id,
      view: (each) => operationView(state, each),
    });
    return page ? context.json({ operations: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
}
