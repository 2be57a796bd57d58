import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { sendBytes } from '../files/send-file.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { type ProblemResponse, problem } from '../problem.ts';
import { FILE, FILE_HEADERS, ITEM } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { runNotFound } from './read-work.ts';
import { REFUSALS } from './refusals.ts';

const output = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/runs/{runId}/output',
  summary: 'What one Run printed: of a command its output, of an agent its transcript; while it runs, so far',
  request: {
    params: ITEM.extend({ actionId: z.string().min(1).max(64), runId: z.string().min(1).max(64) }),
    headers: FILE_HEADERS,
  },
  responses: { 200: { description: 'The bytes, or the range that was asked for (206).', content: FILE }, ...REFUSALS },
});

/** What Runs print, redacted as it was kept; it lies beside the store, on the machine that ran it. */
export function readOutput(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  app.openapi(output, async (context): Promise<ProblemResponse> => {
    const { id, actionId, runId } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const run = await store.run(id, runId);
    if (run?.actionId !== actionId) return runNotFound(context, actionId, runId) as ProblemResponse;
    if (!machine) return problem(context, CANNOT_TELL);
    const printed = await machine.runOutput(runId);
    if (!printed) {
      const message = `What Run ${runId} printed is not here: it only ran checks, ran elsewhere, or was cleared away.`;
      const next = 'Receipts of checks have their own logs: GET /api/v1/work-items/{id}/contents/{hash}.';
      return problem(context, { code: 'content_not_found', message, next });
    }
    try {
      const { bytes: length, read } = printed;
      const file = { name: `${runId}.log`, mediaType: 'text/plain; charset=utf-8', length, read };
      // It only grows: its length says which of its states this is.
      return await sendBytes(context, { ...file, etag: `"${runId}-${length}"` });
    } finally {
      await printed.close();
    }
  });
}
