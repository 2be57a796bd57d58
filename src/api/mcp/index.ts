/** The front door of the MCP server. */
export { MCP_AGENT, type McpDeps } from './deps.ts';
export { type StdioDeps, serveMcpStdio } from './serve-stdio.ts';
export { createMcpServer } from './server.ts';
