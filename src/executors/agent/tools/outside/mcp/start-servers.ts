import { type AgentTool, asTool, type ToolContext } from '../../../tool.ts';
import type { McpNote, McpServer } from './config.ts';
import { mcpTool } from './mcp-tool.ts';
import { type Opening, openServer, type StartOptions } from './open-server.ts';

export interface McpTools {
  readonly tools: readonly AgentTool[];
  /** What was started and what was not, and why. */
  readonly notes: readonly McpNote[];
  /** Ends every server; resolves when their processes are gone. To be called at the end of the Run, whatever happened. */
  close(): Promise<void>;
}

/** A server that fails is told about and left out. Rejects only if the signal of the Run ends it; nothing is left then. */
export async function startServers(
  servers: readonly McpServer[],
  context: ToolContext,
  options: StartOptions,
): Promise<McpTools> {
  const openings = await Promise.allSettled(servers.map((server) => openServer(server, context, options)));
  const close = async () => {
    await Promise.all(openings.map((opening) => closeOf(opening)));
  };
  if (context.signal.aborted) {
    await close();
    context.signal.throwIfAborted();
  }
  const offered = openings.map((opening, index) => offer(servers[index], opening));
  const { tools, notes } = withoutDoubles(offered.flatMap((each) => each.tools));
  return { tools, notes: [...offered.map(({ note }) => note), ...notes], close };
}

async function closeOf(opening: PromiseSettledResult<Opening>): Promise<void> {
  if (opening.status === 'fulfilled' && opening.value.kind === 'open') await opening.value.close();
}

function offer(
  server: McpServer | undefined,
  opening: PromiseSettledResult<Opening>,
): { tools: AgentTool[]; note: McpNote } {
  const name = server?.name ?? '';
  if (opening.status === 'rejected') return { tools: [], note: failed(name, String(opening.reason)) };
  if (opening.value.kind === 'failed') return { tools: [], note: failed(name, opening.value.why) };
  const { server: open, tools } = opening.value;
  const note: McpNote = { state: 'started', name, message: `${name} offers ${tools.length} tools.` };
  return { tools: tools.map((tool) => asTool(mcpTool(open, tool))), note };
}

function failed(name: string, why: string): McpNote {
  return { state: 'failed', name, message: `The MCP server ${name} did not start: ${why}` };
}

function withoutDoubles(tools: readonly AgentTool[]): { tools: AgentTool[]; notes: McpNote[] } {
  const kept = new Map<string, AgentTool>();
  const notes: McpNote[] = [];
  for (const tool of tools) {
    if (!kept.has(tool.name)) kept.set(tool.name, tool);
    else notes.push({ state: 'skipped', name: tool.name, message: `Another tool is already called ${tool.name}.` });
  }
  return { tools: [...kept.values()], notes };
}
