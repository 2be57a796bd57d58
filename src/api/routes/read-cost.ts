import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CONTRACT_LIMITS } from '../../core/index.ts';
import { forecastFor, itemCost } from '../../engine/on-demand/item-cost.ts';
import { COST, FORECAST } from '../cost-schema.ts';
import type { ApiDeps } from '../deps.ts';
import { DELIVERY_TARGET } from '../goal/schema.ts';
import { ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const cost = createRoute({
  method: 'get',
  path: '/work-items/{id}/cost',
  summary: 'Limits and their use, who was charged what, and what such an item usually takes',
  request: { params: ITEM },
  responses: { 200: json(COST, 'As far as it is known; what is estimated says so.'), ...REFUSALS },
});

const forecast = createRoute({
  method: 'get',
  path: '/forecast',
  summary: 'What an item of this shape would usually take, before there is one',
  request: {
    query: z.object({
      criteria: limitOf(1, CONTRACT_LIMITS.criteriaMax).openapi({ description: 'How many criteria it would have.' }),
      target: DELIVERY_TARGET.default('workspace_files'),
    }),
  },
  responses: { 200: json(FORECAST, 'From what finished items took, or from defaults; an estimate.'), ...REFUSALS },
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
  app.openapi(forecast, async (context) => {
    const { criteria, target } = context.req.valid('query');
    const shape = { criteria: { length: criteria }, delivery: { target } };
    return context.json(await forecastFor(store, shape), 200);
  });
}
