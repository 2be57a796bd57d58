import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { goalOf, type ItemState } from '../../core/index.ts';
import type { ApiDeps } from '../deps.ts';
import { callView } from '../views/call.ts';
import { proofView } from '../views/proof.ts';
import { CALL, OPERATION, PROOF } from '../work-schemas.ts';
import { ITEM, json, limitOf } from './json.ts';
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
    }),
  },
  responses: { 200: json(z.object({ calls: z.array(CALL) }), 'The newest.'), ...REFUSALS },
});

const evidence = createRoute({
  method: 'get',
  path: '/work-items/{id}/evidence',
  summary: 'What proves each criterion, with the receipt of the check',
  request: { params: ITEM },
  responses: { 200: json(z.object({ criteria: z.array(PROOF) }), 'Every criterion.'), ...REFUSALS },
});

const operations = createRoute({
  method: 'get',
  path: '/work-items/{id}/operations',
  summary: 'Effects outside that are on their way, or whose end is not known',
  request: { params: ITEM },
  responses: { 200: json(z.object({ operations: z.array(OPERATION) }), 'All of them.'), ...REFUSALS },
});

const operationView = ({ tool, ...operation }: ItemState['operations'][number]) => ({
  ...operation,
  tool: tool ?? null,
});

/** What was recorded beside the conversation: what it cost, what proves it, what it did outside. */
export function readRecords(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(calls, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const { owner, limit } = context.req.valid('query');
    const rows = await store.calls(id, { limit, ...(owner === undefined ? {} : { ownerId: owner }) });
    return context.json({ calls: rows.map(callView) }, 200);
  });
  app.openapi(evidence, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json({ criteria: goalOf(state).criteria.map(proofView) }, 200);
  });
  app.openapi(operations, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json({ operations: state.operations.map(operationView) }, 200);
  });
}
