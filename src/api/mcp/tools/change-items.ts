import { z } from 'zod';
import type { Choice, Command } from '../../../core/index.ts';
import type { McpDeps } from '../deps.ts';
import { refused, said } from '../result.ts';
import { type Tool, tool } from '../tool.ts';
import { itemView } from '../views.ts';
import { ID } from './fields.ts';

const MESSAGE = z.strictObject({
  id: ID,
  text: z.string(),
  action: z.string().max(64).optional().describe('Id of an Action; without it the Coordinator is addressed'),
  key: z.string().min(1).max(128).optional().describe('The same key again sends nothing twice'),
});

const ANSWER = z.strictObject({
  id: ID,
  request: z.string().min(1).max(32).describe('Id of the request, such as r1'),
  choice: z.string().max(64).describe('One of the choices of the request; "text" where it asks for words'),
  text: z.string().default(''),
});

/** What a person may say through their client; the core refuses an agent with `user_required` (D16). */
export const changeTools = (deps: McpDeps): readonly Tool[] => [sendMessage(deps), answerRequest(deps)];

/** Executes one command with the authority of this server; answers the item as it is afterwards. */
async function execute({ store, principal }: McpDeps, command: Omit<Command, 'principal'>) {
  const executed = await store.execute({ ...command, principal });
  return 'code' in executed ? refused(executed) : said(itemView(executed.state));
}

function sendMessage(deps: McpDeps): Tool {
  const description =
    "Say something to the Coordinator of an item, or to one of its Actions. Needs a person's authority.";
  const words = { name: 'send_message', title: 'Send a message', description, needs: 'operate' } as const;
  return tool({ ...words, annotations: { destructiveHint: false } }, MESSAGE, ({ id, text, action, key }) => {
    const target =
      action === undefined ? { kind: 'coordinator' as const } : { kind: 'action' as const, actionId: action };
    const body = { type: 'PostMessage', target, text, attachments: [] } as const;
    return execute(deps, { itemId: id, body, ...(key === undefined ? {} : { idempotencyKey: `mcp:${id}:${key}` }) });
  });
}

function answerRequest(deps: McpDeps): Tool {
  const description = "Answer what an item asks of a person, once; read_item lists it. Needs a person's authority.";
  const words = { name: 'answer_request', title: 'Answer a request', description, needs: 'operate' } as const;
  return tool(words, ANSWER, ({ id, request, choice, text }) => {
    // What is not offered is refused by the core, in its own words.
    const body = { type: 'AnswerRequest', requestId: request, choice: choice as Choice, text } as const;
    return execute(deps, { itemId: id, body });
  });
}
