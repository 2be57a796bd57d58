import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { redact, secretValues } from '../../../../../text/redact.ts';
import type { spawnGuarded } from '../../../../../workspace/process/spawn-guarded.ts';
import type { ToolContext } from '../../../tool.ts';
import type { HttpServer, McpServer } from './config.ts';
import { GuardedTransport } from './guarded-transport.ts';
import type { OpenServer } from './mcp-tool.ts';

const STARTUP_MS = 10_000;
const CALL_MS = 30_000;
const FAREWELL_MS = 2_000;
const MAX_TOOLS = 200;

export interface StartOptions {
  /** `<runId>:<epoch>`. */
  readonly runTag: string;
  readonly startupMs?: number;
  readonly callTimeoutMs?: number;
  readonly spawn?: typeof spawnGuarded;
}

export type Opening =
  | { readonly kind: 'open'; readonly server: OpenServer; readonly tools: readonly Tool[]; close(): Promise<void> }
  | { readonly kind: 'failed'; readonly why: string };

/** Starts or reaches a server and asks for its tools. What fails is closed again. Rejects only with the signal. */
export async function openServer(server: McpServer, context: ToolContext, options: StartOptions): Promise<Opening> {
  const objection = server.kind === 'http' ? httpObjection(server, context) : null;
  if (objection !== null) return { kind: 'failed', why: objection };
  const { transport, stderr, close } = connection(server, context, options);
  const client = new Client({ name: 'workcenter', version: '1' });
  let open = true;
  client.onclose = () => {
    open = false;
  };
  const hide = (text: string): string => redact(text, secretsOf(server));
  try {
    const tools = await startUp(client, transport, options.startupMs ?? STARTUP_MS, context.signal);
    const opened: OpenServer = {
      name: server.name,
      client,
      trustReadOnly: server.trustReadOnly,
      callTimeoutMs: options.callTimeoutMs ?? CALL_MS,
      isOpen: () => open,
      redact: hide,
    };
    return { kind: 'open', server: opened, tools, close };
  } catch (error) {
    await close();
    context.signal.throwIfAborted();
    const complaint = stderr();
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', why: context.redact(hide(complaint === '' ? why : `${why}\n${complaint}`)) };
  }
}

interface Connection {
  readonly transport: Transport;
  stderr(): string;
  close(): Promise<void>;
}

function connection(server: McpServer, context: ToolContext, options: StartOptions): Connection {
  if (server.kind === 'stdio') {
    const transport = new GuardedTransport({ ...options, server, context });
    return { transport, stderr: () => transport.stderr, close: () => transport.close() };
  }
  const http = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
  });
  const close = async () => {
    const farewell = [http.terminateSession(), ended(AbortSignal.timeout(FAREWELL_MS), 'It does not answer.')];
    await Promise.race(farewell).catch(() => {}); // Not every server has sessions, and it may be gone.
    await http.close();
  };
  return { transport: http, stderr: () => '', close };
}

async function startUp(client: Client, transport: Transport, startupMs: number, run: AbortSignal): Promise<Tool[]> {
  const limit = AbortSignal.timeout(startupMs);
  const signal = AbortSignal.any([run, limit]);
  const options = { signal, timeout: startupMs };
  const work = (async () => {
    await client.connect(transport, options);
    const tools: Tool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, options);
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined && tools.length < MAX_TOOLS);
    return tools.slice(0, MAX_TOOLS);
  })();
  return Promise.race([work, ended(signal, `It was not ready within ${startupMs / 1_000} s.`)]).finally(() => {
    work.catch(() => {}); // The race is over.
  });
}

function ended(signal: AbortSignal, why: string): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error(why));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** It is reached from this process, so the Action's network is kept here. */
function httpObjection(server: HttpServer, context: ToolContext): string | null {
  if (!URL.canParse(server.url) || !/^https?:$/.test(new URL(server.url).protocol))
    return 'Its url is not http or https.';
  const network = server.network ?? context.network;
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(server.url).hostname);
  if (network === 'all' || (network === 'loopback' && isLocal)) return null;
  return `The network of this Action is ${network}; "network": "all" beside its url would allow this server.`;
}

function secretsOf(server: McpServer): string[] {
  return server.kind === 'stdio' ? secretValues(server.env) : Object.values(server.headers);
}
