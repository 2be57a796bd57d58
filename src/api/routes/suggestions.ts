import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { DIRECTORY } from '../goal/schema.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem, type Refusal } from '../problem.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const SUGGESTIONS = z
  .object({
    ecosystem: z.string().openapi({ description: '`unknown`: nothing was recognised.' }),
    setup: z
      .object({
        run: z.string(),
        inputs: z.array(z.string()).openapi({ description: 'The files that it was told from.' }),
      })
      .nullable()
      .openapi({ description: 'What the lock files ask for, as `workcenter new` takes it; none without one.' }),
    checks: z
      .array(z.object({ text: z.string().openapi({ description: 'What it proves.' }), run: z.string() }))
      .openapi({ description: 'Commands of the project that may prove a criterion.' }),
  })
  .openapi('Suggestions');

const suggestions = createRoute({
  method: 'get',
  path: '/suggestions',
  summary: 'What set-up and which checks a directory seems to have, told from its files; nothing is run',
  request: { query: z.object({ directory: DIRECTORY }) },
  responses: { 200: json(SUGGESTIONS, 'What was found; of a directory that is not there, nothing.'), ...REFUSALS },
});

const NO_PERSON: Refusal = {
  code: 'user_required',
  message: 'Only a person may have a directory looked at.',
  next: 'Create a draft with set-up and checks of your own.',
};

/** Saves who states a goal from typing what the project says itself. */
export function suggest(app: OpenAPIHono, { machine }: ApiDeps): void {
  app.openapi(suggestions, (context) => {
    if (principalOf(context).kind !== 'user') return problem(context, NO_PERSON);
    if (!machine) return problem(context, CANNOT_TELL);
    const { ecosystem, setup, checks } = machine.suggestions(context.req.valid('query').directory);
    const found = {
      ecosystem,
      setup: setup ? { run: setup.run, inputs: [...setup.inputs] } : null,
      checks: checks.map(({ text, run }) => ({ text, run })),
    };
    return context.json(found, 200);
  });
}
