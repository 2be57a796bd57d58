import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { asNumber, pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { actionLine, actionView } from '../views/action.ts';
import { runLine, runView } from '../views/run.ts';
import { ACTION, PAGE_OF_ACTIONS, PAGE_OF_RUNS, RUN } from '../work-schemas.ts';
import { CURSOR, ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const PATH = ITEM.extend({ actionId: z.string().min(1).max(64) });
const PAGE = z.object({ limit: limitOf(50, 200), cursor: CURSOR });

const actions = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions',
  summary: 'Its Actions, in the order in which they were made',
  request: { params: ITEM, query: PAGE },
  responses: { 200: json(PAGE_OF_ACTIONS, 'A page.'), ...REFUSALS },
});

const action = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}',
  summary: 'One Action: what it is to do, what came of it, what may be done now',
  request: { params: PATH },
  responses: { 200: json(ACTION, 'The Action.'), ...REFUSALS },
});

const runs = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/runs',
  summary: 'Runs of an Action, newest first',
  request: { params: PATH, query: PAGE },
  responses: { 200: json(PAGE_OF_RUNS, 'A page.'), ...REFUSALS },
});

const run = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/runs/{runId}',
  summary: 'One Run: what ran, what was enforced, what was measured',
  request: { params: PATH.extend({ runId: z.string().min(1).max(64) }) },
  responses: { 200: json(RUN, 'The Run.'), ...REFUSALS },
});

export const actionNotFound = (context: Context, id: string, actionId: string) =>
  problem(context, {
    code: 'action_not_found',
    message: `Item ${id} has no Action ${actionId}.`,
    next: `GET /api/v1/work-items/${id}/actions`,
  });

export const runNotFound = (context: Context, actionId: string, runId: string) =>
  problem(context, { code: 'run_not_found', message: `Action ${actionId} has no Run ${runId}.` });

/** The Actions of an item and what became of each Run. */
export function readWork(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(actions, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const page = await pageOf({
      ...{ query: ['actions', id], ...context.req.valid('query'), parse: asNumber },
      read: (behind = 0) => state.actions.filter(({ ordinal }) => ordinal > behind),
      at: ({ ordinal }) => ordinal,
      view: (each) => actionLine(state, each),
    });
    if (!page) return problem(context, INVALID_CURSOR);
    return context.json({ actions: page.views, total: state.actions.length, ...page.more }, 200);
  });
  app.openapi(action, async (context) => {
    const { id, actionId } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const found = state.actions.find((each) => each.id === actionId);
    return found ? context.json(actionView(state, found), 200) : actionNotFound(context, id, actionId);
  });
  app.openapi(runs, async (context) => {
    const { id, actionId } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!state.actions.some((each) => each.id === actionId)) return actionNotFound(context, id, actionId);
    const page = await pageOf({
      ...{ query: ['runs', id, actionId], ...context.req.valid('query'), parse: asNumber },
      read: (before, limit) => store.runs(id, { actionId, limit, ...saidOnly({ before }) }),
      at: ({ startedSeq }) => startedSeq,
      view: (row) => runLine(row, state.contract.directory),
    });
    return page ? context.json({ runs: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
  app.openapi(run, async (context) => {
    const { id, actionId, runId } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!state.actions.some((each) => each.id === actionId)) return actionNotFound(context, id, actionId);
    const row = await store.run(id, runId);
    return row?.actionId === actionId
      ? context.json(runView(row, state.contract.directory), 200)
      : runNotFound(context, actionId, runId);
  });
}
