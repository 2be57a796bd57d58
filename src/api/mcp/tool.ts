import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ToolAnnotations,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Scope } from '../access/scopes.ts';
import type { McpDeps } from './deps.ts';
import { guarded, type Refusal, refused } from './result.ts';

/** What a call has beside its arguments: its signal, and a way to tell of progress. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool as a client sees it, and what its call does. */
export interface Tool {
  readonly listed: ListedTool;
  readonly needs: Scope;
  call(input: unknown, extra: Extra): Promise<CallToolResult>;
}

interface Words {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needs: Scope;
  readonly annotations?: ToolAnnotations;
}

/** Pairs a schema with what runs on arguments that fit it; what does not fit is refused and never runs. */
export function tool<I extends z.ZodObject>(
  { needs, ...words }: Words,
  input: I,
  run: (input: z.output<I>, extra: Extra) => CallToolResult | Promise<CallToolResult>,
): Tool {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  const inputSchema = ToolSchema.shape.inputSchema.parse(schema);
  return {
    ...{ needs, listed: { ...words, inputSchema } },
    call(given, extra) {
      const read = input.safeParse(given);
      if (!read.success) return Promise.resolve(refused(misfit(words.name, input, given, read.error)));
      return guarded(async () => run(read.data, extra));
    },
  };
}

/** Names of arguments and what is wrong with them, never a value: that may be long, or a secret. */
function misfit(name: string, input: z.ZodObject, given: unknown, { issues }: z.ZodError): Refusal {
  const wrong = issues.slice(0, 5).map(({ path, message }) => `${path.map(String).join('.') || 'all'}: ${message}`);
  const { required = [] } = z.toJSONSchema(input, { io: 'input' });
  const known = Object.keys(input.shape).map((key) => (required.includes(key) ? key : `${key}?`));
  return {
    ...{ code: 'invalid_request', message: `The arguments of ${name} do not fit. ${wrong.join('; ')}` },
    ...{ expected: known.join(', ') || 'no argument', found: namesOf(given) },
    next: 'Correct the arguments and call again.',
  };
}

const NAMES_CHARS = 200;

function namesOf(given: unknown): string {
  if (typeof given !== 'object' || given === null) return typeof given;
  return Object.keys(given).join(', ').slice(0, NAMES_CHARS) || 'no argument';
}

/** Offers what the caller's scopes allow; a call of anything else is refused as on every surface. */
export function serveTools({ server }: McpServer, tools: readonly Tool[], { allows }: McpDeps): void {
  const offered = tools.filter(({ needs }) => allows?.(needs) ?? true);
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(({ listed }) => listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const found = tools.find(({ listed }) => listed.name === params.name);
    if (!found) return refused(noTool(params.name, offered));
    if (!offered.includes(found)) return refused(scopeTooSmall(params.name, found.needs));
    return found.call(params.arguments ?? {}, extra);
  });
}

const noTool = (name: string, offered: readonly Tool[]): Refusal => ({
  ...{ code: 'invalid_request', message: 'There is no such tool.', found: name.slice(0, NAMES_CHARS) },
  expected: `one of: ${offered.map(({ listed }) => listed.name).join(', ')}`,
});

const scopeTooSmall = (name: string, needs: Scope): Refusal => ({
  ...{ code: 'scope_too_small', message: `The token may not call ${name}.`, expected: `a token with scope ${needs}` },
  next: 'Ask your person for a token that may.',
});
