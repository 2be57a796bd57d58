import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { MCP_AGENT, type McpDeps } from './deps.ts';
import { createMcpServer } from './server.ts';

export interface StdioDeps extends Omit<McpDeps, 'principal'> {
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

/** Serves one client until it hangs up or `signal` comes; calls that still wait are given up. Closes nothing of `deps`. */
export async function serveMcpStdio({ stdin, stdout, signal, principal, ...deps }: StdioDeps): Promise<void> {
  if (signal?.aborted || stdin.readableEnded || stdin.destroyed) return;
  const server = createMcpServer({ ...deps, principal: principal ?? MCP_AGENT });
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  const end = (): void => void server.close();
  stdin.once('end', end);
  stdin.once('close', end);
  // Stays: what was written last may fail after the end.
  stdout.on('error', end);
  signal?.addEventListener('abort', end, { once: true });
  try {
    await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_BYTES }));
    await closed;
  } finally {
    stdin.off('end', end);
    stdin.off('close', end);
    signal?.removeEventListener('abort', end);
  }
}
