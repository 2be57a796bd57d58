import { createHash } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import type { AgentTool, ToolContext, ToolOutput } from '../../../tool.ts';
import { toolResult } from './tool-result.ts';

const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 600;
const MAX_INPUT_CHARS = 1024 * 1024;

export type McpInput = Record<string, unknown>;

/** A server that was started and answers. */
export interface OpenServer {
  readonly name: string;
  readonly client: Client;
  readonly trustReadOnly: boolean;
  readonly callTimeoutMs: number;
  /** False once it has ended: nothing can be sent any more. */
  isOpen(): boolean;
  /** Takes the server's own secrets out of a text. */
  redact(text: string): string;
}

/** One tool of a server. A call that may have reached the server and did not succeed has an unknown effect. */
export function mcpTool(server: OpenServer, tool: Tool): AgentTool<McpInput> {
  const reads = server.trustReadOnly && tool.annotations?.readOnlyHint === true;
  const complaintOf = inputCheck(tool.inputSchema);
  return {
    name: mcpToolName(server.name, tool.name),
    description: `(MCP server ${server.name}) ${tool.description ?? tool.title ?? tool.name}`
      .replace(/\s+/g, ' ')
      .slice(0, MAX_DESCRIPTION_CHARS),
    input: z.record(z.string(), z.unknown()),
    inputSchema: tool.inputSchema,
    capability: () => (reads ? 'reads' : 'acts_outside'),
    subject: () => '',
    timeoutMs: server.callTimeoutMs + 10_000,
    run: async (input, context) => {
      const objection = objectionTo(input, server, complaintOf);
      if (objection !== null) return { text: objection, isError: true, effect: 'none' };
      const output = await call(server, tool.name, input, context);
      return output.isError === true && !reads ? { ...output, effect: 'unknown' } : output;
    },
  };
}

/** `mcp__server__tool`; a longer one is cut and ends in a hash, so that two cut ones differ. */
export function mcpToolName(server: string, tool: string): string {
  const clean = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '_');
  const whole = `mcp__${clean(server)}__${clean(tool)}`;
  if (whole.length <= MAX_NAME_CHARS) return whole;
  const mark = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8);
  return `${whole.slice(0, MAX_NAME_CHARS - 9)}_${mark}`;
}

/** Why nothing is sent. */
function objectionTo(input: McpInput, server: OpenServer, complaintOf: (input: McpInput) => string | null) {
  if (!server.isOpen()) return `The MCP server ${server.name} has ended; its tools are gone for the rest of this Run.`;
  if (JSON.stringify(input).length > MAX_INPUT_CHARS) return 'The arguments are larger than 1 MiB.';
  return complaintOf(input);
}

function inputCheck(schema: Tool['inputSchema']): (input: McpInput) => string | null {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType);
    return (input) => {
      const checked = validate(input);
      return checked.valid ? null : `The arguments do not fit the schema of the tool: ${checked.errorMessage}`;
    };
  } catch {
    return () => null; // A schema that cannot be understood; the server itself will say.
  }
}

async function call(server: OpenServer, name: string, input: McpInput, context: ToolContext): Promise<ToolOutput> {
  const redact = (text: string): string => context.redact(server.redact(text));
  try {
    const result = await server.client.request(
      { method: 'tools/call', params: { name, arguments: input } },
      CallToolResultSchema,
      { timeout: server.callTimeoutMs, signal: context.signal },
    );
    return toolResult(result, redact);
  } catch (error) {
    context.signal.throwIfAborted();
    const text = redact(
      `The MCP server ${server.name} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { text, isError: true, foreign: true };
  }
}
