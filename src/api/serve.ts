import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createApi } from './api.ts';
import type { ApiDeps } from './deps.ts';

/** Where `submit` is left out, items are not created here. */
export interface ServeOptions extends Pick<ApiDeps, 'store' | 'version' | 'submit' | 'troubles'> {
  /** 0 takes any free one. */
  readonly port: number;
}

export interface ServedApi {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Ends streams with a hint when to come back, then the server. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const HEARTBEAT_MS = 15_000;
/** Answers on their way and the last words of streams have this long. */
const GRACE_MS = 500;

/** Serves the API on loopback. Rejects with the cause when the port cannot be had. */
export async function serveApi({ port, ...deps }: ServeOptions): Promise<ServedApi> {
  const closing = new AbortController();
  let hosts: readonly string[] = [];
  const app = createApi({ ...deps, hosts: () => hosts, heartbeatMs: HEARTBEAT_MS }, closing.signal);
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  hosts = [LOOPBACK, 'localhost'].map((name) => `${name}:${address.port}`);
  return {
    url: `http://${LOOPBACK}:${address.port}`,
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}
