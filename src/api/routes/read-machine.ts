import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { modelCatalogue } from '../../engine/on-demand/model-catalogue.ts';
import type { ApiDeps } from '../deps.ts';
import { MODELS, PAGE_OF_VPS, VP } from '../machine-schemas.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem, type Refusal } from '../problem.ts';
import { modelsView, vpsView, vpView } from '../views/machine.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const PROJECT = z.object({
  directory: z
    .string()
    .max(4_096)
    .optional()
    .openapi({ description: 'A project that has an item: its VPs count, too.' }),
});

const vps = createRoute({
  method: 'get',
  path: '/vps',
  summary: 'Who can carry out Actions',
  request: { query: PROJECT },
  responses: { 200: json(PAGE_OF_VPS, 'All of them, by id.'), ...REFUSALS },
});

const vp = createRoute({
  method: 'get',
  path: '/vps/{vpId}',
  summary: 'One VP with its persona',
  request: { params: z.object({ vpId: z.string().min(1).max(64) }), query: PROJECT },
  responses: { 200: json(VP, 'The VP.'), ...REFUSALS },
});

const models = createRoute({
  method: 'get',
  path: '/models',
  summary: 'Providers, whether their keys are there, what tags mean, and prices',
  responses: { 200: json(MODELS, 'As the server would use them now.'), ...REFUSALS },
});

const UNKNOWN_DIRECTORY: Refusal = {
  code: 'directory_unknown',
  message: 'No item works there, so that nothing is read there.',
  expected: 'the directory of an item, as GET /api/v1/work-items/{id} tells it',
};

/** What the machine of the server offers: VPs and models. */
export function readMachine(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  /** Directories that nobody gave to the engine are not looked into for somebody far away. */
  const isKnown = async (directory: string | undefined): Promise<boolean> =>
    directory === undefined || (await store.list({ directory, limit: 1 })).items.length > 0;

  app.openapi(vps, async (context) => {
    const { directory } = context.req.valid('query');
    if (!machine) return problem(context, CANNOT_TELL);
    if (!(await isKnown(directory))) return problem(context, UNKNOWN_DIRECTORY);
    return context.json(vpsView(await machine.vps(directory)), 200);
  });
  app.openapi(vp, async (context) => {
    const { directory } = context.req.valid('query');
    const { vpId } = context.req.valid('param');
    if (!machine) return problem(context, CANNOT_TELL);
    if (!(await isKnown(directory))) return problem(context, UNKNOWN_DIRECTORY);
    const found = (await machine.vps(directory)).vps.find(({ id }) => id === vpId);
    if (found) return context.json(vpView(found), 200);
    return problem(context, { code: 'vp_not_found', message: `There is no VP ${vpId}.`, next: 'GET /api/v1/vps' });
  });
  app.openapi(models, async (context) => {
    if (!machine) return problem(context, CANNOT_TELL);
    const { value } = await store.readSettings();
    return context.json(modelsView(modelCatalogue(machine.environment, value)), 200);
  });
}
