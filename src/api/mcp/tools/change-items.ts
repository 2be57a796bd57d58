import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Choice, Command } from '../../../core/index.ts';
import type { McpDeps } from '../deps.ts';
import { guarded, refused, said } from '../result.ts';
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
export function changeTools(server: McpServer, deps: McpDeps): void {
  sendMessage(server, deps);
  answerRequest(server, deps);
}

/** Executes one command with the authority of this server; answers the item as it is afterwards. */
const execute = ({ store, principal }: McpDeps, command: Omit<Command, 'principal'>) =>
  guarded(async () => {
    const executed = await store.execute({ ...command, principal });
    return 'code' in executed ? refused(executed) : said(itemView(executed.state));
  });

function sendMessage(server: McpServer, deps: McpDeps): void {
  const description =
    "Say something to the Coordinator of an item, or to one of its Actions. Needs a person's authority.";
  const config = { title: 'Send a message', description, inputSchema: MESSAGE };
  server.registerTool('send_message', { ...config, annotations: { destructiveHint: false } }, (input) => {
    const { id, text, action, key } = input;
    const target =
      action === undefined ? { kind: 'coordinator' as const } : { kind: 'action' as const, actionId: action };
    const body = { type: 'PostMessage', target, text, attachments: [] } as const;
    return execute(deps, { itemId: id, body, ...(key === undefined ? {} : { idempotencyKey: `mcp:${id}:${key}` }) });
  });
}

function answerRequest(server: McpServer, deps: McpDeps): void {
  const description = "Answer what an item asks of a person, once; read_item lists it. Needs a person's authority.";
  const config = { title: 'Answer a request', description, inputSchema: ANSWER };
  server.registerTool('answer_request', config, ({ id, request, choice, text }) => {
    // What is not offered is refused by the core, in its own words.
    const body = { type: 'AnswerRequest', requestId: request, choice: choice as Choice, text } as const;
    return execute(deps, { itemId: id, body });
  });
}
