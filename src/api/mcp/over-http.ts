import type { OpenAPIHono } from '@hono/zod-openapi';
import { jsonOnly } from '../body.ts';
import type { OverHttpDeps } from './deps.ts';

/**
 * MCP over streamable HTTP at `/mcp` (D33). What guards the API guards it too. `closing` lets waiting calls answer, then
 * ends all sessions. The protocol is large and many servers are never asked for it: the first request loads it.
 */
export function mcpOverHttp(app: OpenAPIHono, deps: OverHttpDeps, closing: AbortSignal): void {
  const load = async () => (await import('./serve-http.ts')).mcpHandler(deps, closing);
  let handler: ReturnType<typeof load> | undefined;
  app.all('/mcp', jsonOnly, async (context) => {
    handler ??= load();
    return (await handler)(context);
  });
}
