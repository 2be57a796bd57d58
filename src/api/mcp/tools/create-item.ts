import { isAbsolute } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { CONTRACT_LIMITS, type Criterion, DEFAULT_LIMITS, type ItemState } from '../../../core/index.ts';
import type { GoalSubmission } from '../../../engine/submit/submit-goal.ts';
import { PLAN_DEFAULTS } from '../../../plan/read/schema.ts';
import type { McpDeps } from '../deps.ts';
import { guarded, type Refusal, refused, said } from '../result.ts';
import { itemView } from '../views.ts';

const CRITERION = z.strictObject({
  text: z.string().describe('A sentence that can be true or false'),
  check: z.string().optional().describe('Shell command that succeeds exactly when it is true; best proof'),
});

const INPUT = z.strictObject({
  goal: z.string().describe('What is to be achieved'),
  criteria: z
    .array(CRITERION)
    .max(CONTRACT_LIMITS.criteriaMax)
    .default([])
    .describe('How one will know; without any, the goal itself is the criterion'),
  directory: z.string().describe('Absolute path of the project'),
  draft: z.boolean().default(false).describe('Do not start it. What an agent creates is always a draft'),
  key: z.string().min(1).max(128).optional().describe('The same key again returns the first item'),
});

const CLIENT_CHARS = 64;

function criterionOf({ text, check }: z.infer<typeof CRITERION>, index: number): Criterion {
  const named = { id: `c${index + 1}`, version: 1, text: text.trim() };
  if (check === undefined) return { ...named, minProof: 'self' };
  const { checkTimeoutSec: timeoutSec } = PLAN_DEFAULTS;
  const run = { run: check, timeoutSec, expectExit: 0, protect: [], network: 'loopback' } as const;
  return { ...named, minProof: 'machine', check: run };
}

const relative = (found: string): Refusal => ({
  ...{ code: 'invalid_field', message: 'The directory is not an absolute path.' },
  ...{ expected: 'an absolute path', found, next: 'Name the project from the root on.' },
});

/** The submission that a call asks for; the core judges contract and authority (D16, D20). */
function submissionOf(
  { goal, criteria, directory, draft, key }: z.infer<typeof INPUT>,
  { principal }: McpDeps,
  client: string | undefined,
): GoalSubmission {
  const worded = criteria.length > 0 ? criteria : [{ text: goal }];
  return {
    ...{ directory, dirty: 'refuse', inPlace: false, start: !draft, principal },
    goal: {
      ...{ goal, criteria: worded.map(criterionOf), delivery: { target: 'workspace_files' } },
      ...{ limits: DEFAULT_LIMITS, attachments: [], reuseMemory: true },
      ...(client === undefined ? {} : { origin: { client: client.slice(0, CLIENT_CHARS) } }),
    },
    ...(key === undefined ? {} : { idempotencyKey: `mcp:create:${key}` }),
  };
}

const createdView = (state: ItemState) => ({
  ...itemView(state),
  ...(state.lifecycle === 'draft' ? { next: `A person starts it: workcenter start ${state.id}` } : {}),
});

/** `create_item`: a goal becomes a coordinated item; an agent's stays a draft (CMD-1). */
export function createItemTool(server: McpServer, deps: McpDeps): void {
  const { submit } = deps;
  if (!submit) return;
  const description =
    'Hand a goal to Work Center, which plans it, carries it out durably and proves each criterion. ' +
    'Answers the item; wait_for_item follows it.';
  const config = { title: 'Create an item', description, inputSchema: INPUT };
  server.registerTool('create_item', { ...config, annotations: { destructiveHint: false } }, (input) =>
    guarded(async () => {
      if (!isAbsolute(input.directory)) return refused(relative(input.directory));
      const client = server.server.getClientVersion()?.name;
      const submitted = await submit(submissionOf(input, deps, client));
      return 'code' in submitted ? refused(submitted) : said(createdView(submitted.state));
    }),
  );
}
