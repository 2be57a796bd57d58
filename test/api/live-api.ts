import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { localAccess } from '../../src/api/access/access.ts';
import { createApi } from '../../src/api/api.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { FailedRequest } from '../../src/api/failures.ts';
import { type LiveText, openLiveText } from '../../src/engine/live/live-text.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { emptyTables } from '../../src/store/memory/tables.ts';
import type { Store } from '../../src/store/store.ts';
import { command, contract, USER } from '../store/items.ts';
import { coordinated } from '../store/talk-items.ts';

/** The API over a store in memory: asked in the process itself, or over a socket. */
export interface LiveApi {
  readonly store: Store;
  /** The same data, as another process writes it. */
  readonly elsewhere: Store;
  readonly liveText: LiveText;
  readonly failures: readonly FailedRequest[];
  /** Asks without a socket: nothing is read that the test does not read. */
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  /** Serves on a socket as well; answers the port and the server's ends of the connections. */
  listen(): Promise<{ readonly port: number; readonly sockets: readonly Socket[] }>;
  close(): Promise<void>;
}

export function openLiveApi(options: Partial<ApiDeps> = {}): LiveApi {
  const tables = emptyTables();
  const store = options.store ?? openMemoryStore({ tables });
  const liveText = openLiveText();
  const closing = new AbortController();
  const failures: FailedRequest[] = [];
  const host = 'localhost';
  const hosts: string[] = [host];
  const report = (failed: FailedRequest) => failures.push(failed);
  const own = { version: 'test', hosts: () => hosts, access: localAccess(), heartbeatMs: 60_000, report };
  const app = createApi({ ...own, liveText, ...options, store }, closing.signal);
  const server = createServer(getRequestListener(app.fetch));
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  return {
    ...{ store, liveText, failures },
    elsewhere: openMemoryStore({ tables }),
    ask: async (path, headers = {}, method = 'GET') =>
      app.request(`http://${host}/api/v1${path}`, { method, headers: { host, ...headers } }),
    async listen() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      hosts.push(`127.0.0.1:${port}`);
      return { port, sockets };
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An item whose events are edits of its contract, each a number that grows. */
export async function makeItem(store: Store, itemId: string): Promise<void> {
  await store.execute(coordinated(itemId));
}

/** The `n`-th edit, from 1: an event of about `chars` characters. */
export async function edit(store: Store, itemId: string, n: number, chars = 10): Promise<void> {
  const goal = `${n} ${'x'.repeat(chars)}`;
  const body = { type: 'EditContract', contractVersion: n, contract: contract({ goal }) } as const;
  const said = await store.execute(command(itemId, body, { principal: USER }));
  if ('code' in said) throw new Error(`${said.code}: ${said.message}`);
}

/** Reads a stream frame by frame. */
export interface FrameReader {
  readonly retryMs: number | undefined;
  /** Signs of life so far. */
  readonly comments: number;
  /** The next frame; undefined when the stream has ended. */
  next(): Promise<EventSourceMessage | undefined>;
  /** The next `count` frames. */
  take(count: number): Promise<readonly EventSourceMessage[]>;
  /** One part of the body, without looking for frames in it; answers its bytes, 0 at the end. */
  pull(): Promise<number>;
  cancel(): Promise<void>;
}

export function frameReader(response: Response): FrameReader {
  const body = response.body?.getReader();
  if (!body) throw new Error('an answer without a body');
  const decoder = new TextDecoder();
  const frames: EventSourceMessage[] = [];
  let retryMs: number | undefined;
  let comments = 0;
  const parser = createParser({
    onEvent: (frame) => frames.push(frame),
    onRetry: (value) => (retryMs = value),
    onComment: () => (comments += 1),
  });
  const pull = async (): Promise<number> => {
    const { value } = await body.read();
    if (value) parser.feed(decoder.decode(value, { stream: true }));
    return value?.length ?? 0;
  };
  const next = async () => {
    while (frames.length === 0) if ((await pull()) === 0) return undefined;
    return frames.shift();
  };
  return {
    get retryMs() {
      return retryMs;
    },
    get comments() {
      return comments;
    },
    next,
    pull,
    async take(count) {
      const taken: EventSourceMessage[] = [];
      for (let frame = await next(); frame; frame = await next()) {
        taken.push(frame);
        if (taken.length === count) break;
      }
      return taken;
    },
    cancel: () => body.cancel(),
  };
}
