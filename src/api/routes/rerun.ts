import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem, type Refusal } from '../problem.ts';
import { receiptView } from '../views/run.ts';
import { RECEIPT } from '../work-schemas.ts';
import { ITEM, json } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const RERUN = z
  .object({
    passed: z.boolean().openapi({ description: 'Every check that was run again passed.' }),
    receipts: z.array(RECEIPT),
  })
  .openapi('Rerun');

const rerun = createRoute({
  method: 'post',
  path: '/work-items/{id}/evidence/rerun',
  summary: 'Run checks again at the proven commit, in a clean checkout; changes nothing',
  description: 'It ends when the connection does. One at a time for each item.',
  request: {
    params: ITEM,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({
            criterionIds: z
              .array(z.string().max(64))
              .min(1)
              .max(100)
              .optional()
              .openapi({ description: 'All when left out.' }),
          }),
        },
      },
    },
  },
  responses: { 200: json(RERUN, 'What the checks say now.'), ...REFUSALS },
});

const NO_PERSON: Refusal = { code: 'user_required', message: 'Only a person may have checks run at once.' };

const BUSY: Refusal = {
  code: 'trial_running',
  message: 'Checks of this item are being run again already.',
  next: 'Wait until they have ended, then try again.',
};

const impossible = (why: string): Refusal => ({ code: 'rerun_impossible', message: why });

/** Anyone may check us: a receipt is worth something because it can be had again. */
export function rerunChecks(app: OpenAPIHono, { store, machine }: ApiDeps, closing: AbortSignal): void {
  const running = new Set<string>();
  app.openapi(rerun, async (context) => {
    const { id } = context.req.valid('param');
    if (principalOf(context).kind !== 'user') return problem(context, NO_PERSON);
    if (!machine) return problem(context, CANNOT_TELL);
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (running.has(id)) return problem(context, BUSY);
    running.add(id);
    try {
      const { criterionIds } = context.req.valid('json');
      const signal = AbortSignal.any([context.req.raw.signal, closing]);
      const ended = await machine.rerun(state, { signal, ...(criterionIds ? { criterionIds } : {}) });
      if (ended.kind === 'impossible') return problem(context, impossible(ended.why));
      const passed = ended.receipts.every(({ verdict }) => verdict === 'passed');
      return context.json({ passed, receipts: ended.receipts.map(receiptView) }, 200);
    } finally {
      running.delete(id);
    }
  });
}
