import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { DISK, ENFORCEMENT, RECLAIM, WORKERS } from '../installation-schemas.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem } from '../problem.ts';
import { diskView, enforcementView, workerView } from '../views/installation.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

/** Engines of long ago are no news. */
const SHOWN_WORKERS = 100;
const WEEK_SEC = 7 * 86_400;

const workers = createRoute({
  method: 'get',
  path: '/workers',
  summary: 'Engines that carry work, or did, last heard of first',
  responses: { 200: json(WORKERS, 'At most 100 of them.'), ...REFUSALS },
});

const enforcement = createRoute({
  method: 'get',
  path: '/enforcement',
  summary: 'What is enforced on this machine, tried for real, and what doctor finds besides the store',
  responses: { 200: json(ENFORCEMENT, 'As it is now.'), ...REFUSALS },
});

const disk = createRoute({
  method: 'get',
  path: '/disk',
  summary: 'What each item holds on the disk, and what of it may go',
  responses: { 200: json(DISK, 'Looked up now; nothing is removed.'), ...REFUSALS },
});

const reclaim = createRoute({
  method: 'post',
  path: '/disk/reclaim',
  summary: 'Remove what may go; work that is in a workspace is kept under a ref first',
  request: { body: { content: { 'application/json': { schema: RECLAIM } }, required: true } },
  responses: { 200: json(DISK, 'What was there, and what of it has gone.'), ...REFUSALS },
});

/** The installation as a whole: its engines, its machine, its disk. */
export function installation(app: OpenAPIHono, { store, machine, access, version }: ApiDeps): void {
  const titleOf = async (itemId: string): Promise<string | null> =>
    (await store.load(itemId).catch(() => undefined))?.contract.title ?? null;

  app.openapi(workers, async (context) => {
    const now = access.now();
    const rows = (await store.workers()).toSorted((a, b) => b.heartbeatAt - a.heartbeatAt).slice(0, SHOWN_WORKERS);
    return context.json({ version, workers: rows.map((row) => workerView(row, now)) }, 200);
  });
  app.openapi(enforcement, async (context) => {
    if (!machine) return problem(context, CANNOT_TELL);
    return context.json(enforcementView(machine.enforcement, await machine.examine()), 200);
  });
  app.openapi(disk, async (context) => {
    if (!machine) return problem(context, CANNOT_TELL);
    const use = await machine.disk({ apply: false, olderThanMs: WEEK_SEC * 1_000 });
    return context.json({ ...(await diskView(use, titleOf)), olderThanSec: WEEK_SEC }, 200);
  });
  app.openapi(reclaim, async (context) => {
    if (!machine) return problem(context, CANNOT_TELL);
    const { olderThanSec } = context.req.valid('json');
    const use = await machine.disk({ apply: true, olderThanMs: olderThanSec * 1_000 });
    return context.json({ ...(await diskView(use, titleOf)), olderThanSec }, 200);
  });
}
