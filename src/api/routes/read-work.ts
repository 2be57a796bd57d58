import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ActionState, ItemState } from '../../core/index.ts';
import type { RunRow } from '../../store/rows.ts';
import type { ApiDeps } from '../deps.ts';
import { problem } from '../problem.ts';
import { actionLine, actionView } from '../views/action.ts';
import { runLine, runView } from '../views/run.ts';
import { ACTION, PAGE_OF_ACTIONS, RUN, RUN_LINE } from '../work-schemas.ts';
import { ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const PATH = ITEM.extend({ actionId: z.string().min(1).max(64) });
/** More than an Action ever has; a Run is looked for among them. */
const RUNS = 1_000;

const actions = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions',
  summary: 'Its Actions, in the order in which they were made',
  request: { params: ITEM, query: z.object({ limit: limitOf(50, 200), cursor: z.string().max(64).optional() }) },
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
  request: { params: PATH, query: z.object({ limit: limitOf(50, 200) }) },
  responses: { 200: json(z.object({ runs: z.array(RUN_LINE) }), 'The newest.'), ...REFUSALS },
});

const run = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/runs/{runId}',
  summary: 'One Run: what ran, what was enforced, what was measured',
  request: { params: PATH.extend({ runId: z.string().min(1).max(64) }) },
  responses: { 200: json(RUN, 'The Run.'), ...REFUSALS },
});

/** The actions behind the one that a page ended with; undefined: it is none of these. */
function behind({ actions: all }: ItemState, cursor: string | undefined): readonly ActionState[] | undefined {
  if (cursor === undefined) return all;
  const at = all.findIndex(({ id }) => id === cursor);
  return at === -1 ? undefined : all.slice(at + 1);
}

const actionNotFound = (context: Context, id: string, actionId: string) =>
  problem(context, {
    code: 'action_not_found',
    message: `Item ${id} has no Action ${actionId}.`,
    next: `GET /api/v1/work-items/${id}/actions`,
  });

const runNotFound = (context: Context, actionId: string, runId: string) =>
  problem(context, { code: 'run_not_found', message: `Action ${actionId} has no Run ${runId}.` });

/** The Actions of an item and what became of each Run. */
export function readWork(app: OpenAPIHono, { store }: ApiDeps): void {
  const runsOf = (id: string, actionId: string, limit: number): Promise<readonly RunRow[]> =>
    store.runs(id, { actionId, limit });

  app.openapi(actions, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const { limit, cursor } = context.req.valid('query');
    const rest = behind(state, cursor);
    if (!rest) return problem(context, { code: 'invalid_request', message: 'The cursor is not of this list.' });
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1)?.id : undefined;
    const body = { actions: page.map((each) => actionLine(state, each)), total: state.actions.length };
    return context.json({ ...body, ...(last === undefined ? {} : { nextCursor: last }) }, 200);
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
    const rows = await runsOf(id, actionId, context.req.valid('query').limit);
    return context.json({ runs: rows.map(runLine) }, 200);
  });
  app.openapi(run, async (context) => {
    const { id, actionId, runId } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!state.actions.some((each) => each.id === actionId)) return actionNotFound(context, id, actionId);
    const row = (await runsOf(id, actionId, RUNS)).find((each) => each.runId === runId);
    return row ? context.json(runView(row), 200) : runNotFound(context, actionId, runId);
  });
}
