import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { CONTRACT_LIMITS, type ItemState, type Rejection } from '../../../core/index.ts';
import { limitsOf, readConfiguration } from '../../../engine/configuration.ts';
import type { GoalSubmission } from '../../../engine/submit/submit-goal.ts';
import type { Submit } from '../../deps.ts';
import { submissionOf } from '../../goal/compile.ts';
import type { McpDeps } from '../deps.ts';
import { type Refusal, refused, said } from '../result.ts';
import { type Tool, tool } from '../tool.ts';
import { itemView } from '../views.ts';

const CRITERION = z.strictObject({
  text: z.string().describe('A sentence that can be true or false'),
  check: z.string().optional().describe('Shell command that succeeds exactly when it is true; best proof'),
});

const INPUT = z.strictObject({
  goal: z.string().describe('What is to be achieved'),
  criteria: z
    .array(CRITERION)
    .min(1)
    .max(CONTRACT_LIMITS.criteriaMax)
    .optional()
    .describe('How one will know; without any, the goal itself is the criterion'),
  directory: z.string().describe('Absolute path of the project'),
  draft: z.boolean().default(false).describe('Do not start it. What an agent creates is always a draft'),
  key: z.string().min(1).max(128).optional().describe('The same key again returns the first item'),
});

const relative = (found: string): Refusal => ({
  ...{ code: 'invalid_field', message: 'The directory is not an absolute path.' },
  ...{ expected: 'an absolute path', found, next: 'Name the project from the root on.' },
});

const CLIENT_CHARS = 128;

/** What the call asks for, with the defaults of the HTTP API; the core judges contract and authority (D16, D20). */
async function wantedOf(
  { goal, criteria, directory, draft, key }: z.infer<typeof INPUT>,
  { store, principal }: McpDeps,
  client: string | undefined,
): Promise<GoalSubmission | Rejection> {
  const { value } = await store.readSettings();
  const origin = client ? { client: client.slice(0, CLIENT_CHARS) } : undefined;
  const rest = { dirty: 'refuse', inPlace: false, reuseMemory: true, start: !draft } as const;
  const limits = limitsOf(readConfiguration(value));
  const wanted = submissionOf({ goal, criteria, directory, origin, ...rest }, limits, principal);
  if ('code' in wanted) return wanted;
  return key === undefined ? wanted : { ...wanted, idempotencyKey: `mcp:new:${key}` };
}

const createdView = (state: ItemState) => ({
  ...itemView(state),
  ...(state.lifecycle === 'draft' ? { next: `A person starts it: workcenter start ${state.id}` } : {}),
});

/** `create_item`: a goal becomes a coordinated item; an agent's stays a draft (CMD-1). */
export function createItemTool(deps: McpDeps, submit: Submit, clientName: () => string | undefined): Tool {
  const description =
    'Hand a goal to Work Center, which plans it, carries it out durably and proves each criterion. ' +
    'Answers the item; wait_for_item follows it.';
  const words = { name: 'create_item', title: 'Create an item', description, needs: 'create' } as const;
  return tool({ ...words, annotations: { destructiveHint: false } }, INPUT, async (input) => {
    if (!isAbsolute(input.directory)) return refused(relative(input.directory));
    const wanted = await wantedOf(input, deps, clientName());
    if ('code' in wanted) return refused(wanted);
    const submitted = await submit(wanted);
    return 'code' in submitted ? refused(submitted) : said(createdView(submitted.state));
  });
}
