import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { itemCost } from '../../engine/on-demand/item-cost.ts';
import { COST } from '../cost-schema.ts';
import type { ApiDeps } from '../deps.ts';
import { ITEM, json } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const cost = createRoute({
  method: 'get',
  path: '/work-items/{id}/cost',
  summary: 'Limits and their use, who was charged what, and what such an item usually takes',
  request: { params: ITEM },
  responses: { 200: json(COST, 'As far as it is known; what is estimated says so.'), ...REFUSALS },
});

/** What an item costs (D26, D27). */
export function readCost(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(cost, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const { limits, byWho, byModel, unmetered, uncertain, ...rest } = await itemCost(store, state);
    const lists = { limits: [...limits], byWho: [...byWho], byModel: [...byModel], unmetered: [...unmetered] };
    return context.json({ ...rest, ...lists, uncertain: [...uncertain] }, 200);
  });
}
