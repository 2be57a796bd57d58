import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiDeps } from '../deps.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem } from '../problem.ts';
import { ITEM, json } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const DIFF = z
  .object({
    from: z.string().openapi({ description: 'The commit that it starts from.' }),
    to: z.string(),
    text: z.string().openapi({ description: 'A unified diff; binary files are named, not shown.' }),
    truncated: z.boolean().openapi({ description: 'There is more than 1 MiB of it; the rest is in the item branch.' }),
  })
  .openapi('Diff');

const item = createRoute({
  method: 'get',
  path: '/work-items/{id}/diff',
  summary: 'What an item has changed so far',
  request: { params: ITEM },
  responses: { 200: json(DIFF, 'From its base to its branch.'), ...REFUSALS },
});

const action = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/diff',
  summary: 'What the last completed Run of an Action has changed',
  request: { params: ITEM.extend({ actionId: z.string().min(1).max(64) }) },
  responses: { 200: json(DIFF, 'From where the Run began to its result.'), ...REFUSALS },
});

/** What came of the work, as text. */
export function readDiffs(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  async function diff(context: Context, id: string, actionId?: string) {
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!machine) return problem(context, CANNOT_TELL);
    const found = await machine.diff(state, actionId);
    if (found.kind === 'nothing') return problem(context, { code: 'no_diff', message: found.why });
    const { from, to, text, truncated } = found;
    return context.json({ from, to, text, truncated }, 200);
  }
  app.openapi(item, (context) => diff(context, context.req.valid('param').id));
  app.openapi(action, (context) => {
    const { id, actionId } = context.req.valid('param');
    return diff(context, id, actionId);
  });
}
