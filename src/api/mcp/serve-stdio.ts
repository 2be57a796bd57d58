import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { MCP_AGENT, type McpDeps } from './deps.ts';
import { createMcpServer } from './server.ts';
import { watchUnanswered } from './unanswered.ts';

export interface StdioDeps extends Omit<McpDeps, 'principal' | 'closing'> {
  /** `user` gives the client a person's authority: it may answer, say and start. An agent otherwise. */
  readonly principal?: McpDeps['principal'];
  readonly stdin: Readable;
  /** Nothing else may write to it. */
  readonly stdout: Writable;
  /** Ends the service, as the end of `stdin` does. */
  readonly signal?: AbortSignal;
}

/** Larger messages end the connection. */
const MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Serves one client until it hangs up or `signal` comes; what was asked until then is still answered, and calls that wait
 * answer at once. Closes nothing of `deps`.
 */
export async function serveMcpStdio({ stdin, stdout, signal, principal, ...deps }: StdioDeps): Promise<void> {
  if (signal?.aborted || stdin.readableEnded || stdin.destroyed) return;
  const stopping = new AbortController();
  const server = createMcpServer({ ...deps, principal: principal ?? MCP_AGENT, closing: stopping.signal });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_BYTES });
  const unanswered = watchUnanswered(transport);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  const close = (): void => void server.close();
  const end = (): void => {
    stopping.abort();
    void unanswered.none().then(close);
  };
  stdin.once('end', end);
  stdin.once('close', end);
  // Nobody reads any more. Stays: what was written last may fail after the end.
  stdout.on('error', close);
  signal?.addEventListener('abort', end, { once: true });
  try {
    await server.connect(transport);
    await closed;
  } finally {
    stdin.off('end', end);
    stdin.off('close', end);
    signal?.removeEventListener('abort', end);
  }
}
