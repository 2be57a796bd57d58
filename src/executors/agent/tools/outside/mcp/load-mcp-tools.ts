import type { ToolContext } from '../../../tool.ts';
import { type McpSources, readMcpConfig } from './config.ts';
import type { StartOptions } from './open-server.ts';
import type { McpTools } from './start-servers.ts';

export type { McpTools };

/**
 * Starts the servers of the person and, where a person approved its very text, of the project, and offers their tools.
 * A server that fails is told about and left out. Rejects only if the signal of the Run ends it; nothing is left then.
 * The protocol is large and most Runs have no server: the first that is configured loads it.
 */
export async function loadMcpTools(
  sources: Omit<McpSources, 'workspacePath' | 'environment'>,
  context: ToolContext,
  options: StartOptions,
): Promise<McpTools> {
  const { workspacePath, confinement, signal } = context;
  const config = await readMcpConfig({ ...sources, workspacePath, environment: confinement.parentEnvironment });
  signal.throwIfAborted();
  if (config.servers.length === 0) return { tools: [], notes: config.notes, close: async () => undefined };
  const { startServers } = await import('./start-servers.ts');
  const started = await startServers(config.servers, context, options);
  return { ...started, notes: [...config.notes, ...started.notes] };
}
