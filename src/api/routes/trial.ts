import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { CheckVerdict } from '../../core/index.ts';
import type { Trial } from '../../engine/on-demand/try-check.ts';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { trialOf } from '../goal/compile.ts';
import { NEW_TRIAL } from '../goal/schema.ts';
import { problem, type Refusal } from '../problem.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const VERDICTS = [
  'passed',
  'wrong_exit',
  'output_mismatch',
  'timed_out',
  'killed',
  'not_found',
  'setup_failed',
] as const satisfies readonly CheckVerdict[];

const TRIAL = z
  .object({
    verdict: z.enum(VERDICTS).openapi({ description: '`passed` before the work: it will prove nothing.' }),
    exitCode: z.number().int().nullable(),
    durationMs: z.number(),
    tail: z.string().openapi({ description: 'The end of what it printed; at most 4,000 characters.' }),
    at: z.string().nullable().openapi({ description: 'The commit it ran on, or content:HASH.' }),
    sandboxed: z.boolean(),
    inPlace: z.boolean().openapi({ description: 'It ran in the directory itself, not in a clean copy.' }),
  })
  .openapi('CheckTrial');

const trial = createRoute({
  method: 'post',
  path: '/checks/trial',
  summary: 'Run a check on a directory as it is, before there is an item',
  description:
    'Set-up and check run as their base run will: in a clean checkout, confined, for at most 15 and 10 minutes. Nothing is stored. It ends when the connection does. One at a time for each directory.',
  request: { body: { content: { 'application/json': { schema: NEW_TRIAL } }, required: true } },
  responses: { 200: json(TRIAL, 'How it ended.'), ...REFUSALS },
});

const NO_PERSON: Refusal = {
  code: 'user_required',
  message: 'Only a person may have a command run at once.',
  next: 'Create a draft with the check; it is tried when a person has started it.',
};

const CANNOT_TRY: Refusal = {
  code: 'cannot_try',
  message: 'This server does not run where a check could be tried.',
  next: 'Ask the server of workcenter up.',
};

const BUSY: Refusal = {
  code: 'trial_running',
  message: 'Another check is being tried.',
  expected: 'one trial at a time for each directory, and two in all',
  next: 'Wait until it has ended, then try again.',
};

const impossible = (found: string): Refusal => ({
  ...{ code: 'cannot_try', message: 'The check could not be started.', found },
  next: 'workcenter doctor tells what this machine lacks.',
});

const STOPPED: Refusal = { code: 'not_ready', message: 'The trial was ended before the check had.' };

/** How a trial ended, or why there was none. */
function shown(trial: Trial): z.output<typeof TRIAL> | Refusal {
  switch (trial.kind) {
    case 'tried': {
      const { verdict, exitCode, durationMs, log, at, flags } = trial.receipt;
      const inPlace = flags.includes('in_place');
      return {
        ...{ verdict, exitCode, durationMs, tail: log.tail, at },
        ...{ sandboxed: !flags.includes('not_sandboxed'), inPlace },
      };
    }
    case 'setup_failed': {
      const { exitCode, tail } = trial;
      return { verdict: 'setup_failed', exitCode, durationMs: 0, tail, at: null, sandboxed: true, inPlace: false };
    }
    case 'refused':
      return trial.why;
    case 'busy':
      return BUSY;
    case 'impossible':
      return impossible(trial.why);
    case 'stopped':
      return STOPPED;
  }
}

/** Lets a person see what a check says today; an item is made without it as well. */
export function tryChecks(app: OpenAPIHono, { machine }: ApiDeps, closing: AbortSignal): void {
  app.openapi(trial, async (context) => {
    if (principalOf(context).kind !== 'user') return problem(context, NO_PERSON);
    if (!machine) return problem(context, CANNOT_TRY);
    const sent = context.req.valid('json');
    const wanted = trialOf(sent);
    if ('code' in wanted) return problem(context, wanted);
    const { directory, dirty, inPlace } = sent;
    const { check, setup } = wanted;
    const signal = AbortSignal.any([context.req.raw.signal, closing]);
    const ended = shown(
      await machine.tryCheck({ directory, dirty, inPlace, check, signal, ...(setup ? { setup } : {}) }),
    );
    return 'code' in ended ? problem(context, ended) : context.json(ended, 200);
  });
}
