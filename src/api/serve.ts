import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Access } from './access/access.ts';
import { RATE_LIMITS } from './access/rate-limits.ts';
import { createApi } from './api.ts';
import type { ApiDeps } from './deps.ts';
import type { Report } from './failures.ts';
import { inUrl, LOOPBACK, type Place } from './place.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

/** How long a client may take; milliseconds. */
export interface Patience {
  readonly headersMs: number;
  /** The whole request with its body. */
  readonly requestMs: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  /** How often it is looked at. */
  readonly checkMs: number;
}

/** Where `submit` is left out, items are not created here. */
export interface ServeOptions
  extends Pick<ApiDeps, 'store' | 'version' | 'submit' | 'troubles' | 'liveText' | 'page' | 'machine'>,
    Partial<Pick<Access, 'requireToken' | 'allowHosts' | 'fileToken' | 'ownToken' | 'limits' | 'now'>> {
  /** 0 takes any free one. */
  readonly port: number;
  /** Loopback when left out. Anywhere else, and behind the names of a proxy, nobody is let in without a token. */
  readonly place?: Place;
  readonly report?: Report;
  readonly patience?: Partial<Patience>;
}

export interface ServedApi {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Ends streams with a hint when to come back, then the server. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 15_000;
/** Answers on their way and the last words of streams have this long. */
const GRACE_MS = 500;
/** A file of 10 MiB over a slow line is the longest of honest requests; proxies keep connections for about a minute. */
const PATIENCE: Patience = Object.freeze({ headersMs: 10_000, requestMs: 120_000, idleMs: 65_000, checkMs: 5_000 });

/** Whether somebody else than the person at this machine may come by there. */
export const needsToken = ({ reach }: Place, { allowHosts = [], requireToken = false }: Partial<Access>): boolean =>
  requireToken || reach !== 'loopback' || allowHosts.length > 0;

function accessOf(place: Place, options: ServeOptions): Access {
  const { allowHosts = [], fileToken, ownToken, limits = RATE_LIMITS, now = Date.now } = options;
  return {
    requireToken: needsToken(place, options),
    allowHosts: allowHosts.map((host) => host.toLowerCase()),
    anyAddress: place.reach === 'everywhere',
    ...{ fileToken, ownToken, limits, now },
  };
}

/** A client leaves the port out where it is the usual one. */
const hostsOf = ({ names }: Place, port: number): readonly string[] =>
  names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));

/** A request that is none: it reaches no route, and nobody knows what it wanted. */
function unreadable(error: unknown): Response {
  const message = error instanceof Error ? error.message : 'This is no request.';
  const body = problemOf({ code: 'invalid_request', message });
  return new Response(JSON.stringify(body), { status: body.status, headers: { 'Content-Type': PROBLEM_TYPE } });
}

function listen(server: Server, port: number, address: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.removeListener('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(late);
}

/** Serves the API. Rejects with the cause when address and port cannot be had. */
export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const {
    store,
    version,
    submit,
    troubles,
    liveText,
    page,
    machine,
    port,
    place = LOOPBACK,
    report = () => undefined,
  } = options;
  const closing = new AbortController();
  let hosts: readonly string[] = [];
  const app = createApi(
    {
      ...{ store, version, report, access: accessOf(place, options), hosts: () => hosts, heartbeatMs: HEARTBEAT_MS },
      ...(submit === undefined ? {} : { submit }),
      ...(troubles === undefined ? {} : { troubles }),
      ...(liveText === undefined ? {} : { liveText }),
      ...(page === undefined ? {} : { page }),
      ...(machine === undefined ? {} : { machine }),
    },
    closing.signal,
  );
  const { headersMs, requestMs, idleMs, checkMs } = { ...PATIENCE, ...options.patience };
  const server = createServer(
    {
      ...{ headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs },
      connectionsCheckingInterval: checkMs,
    },
    getRequestListener(app.fetch, { errorHandler: unreadable }),
  );
  const bound = await listen(server, port, place.address);
  hosts = hostsOf(place, bound.port);
  return {
    url: `http://${place.reach === 'everywhere' ? '127.0.0.1' : inUrl(place.address)}:${bound.port}`,
    async close() {
      closing.abort();
      await close(server);
    },
  };
}
