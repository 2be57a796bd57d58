import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** How the outside is reached; tests bring their own. */
export interface Reach {
  /** All addresses of a host; rejects if there is none. Asked once per request, and what it says is connected to. */
  resolve(hostname: string): Promise<readonly Address[]>;
  isAllowed(address: string): boolean;
}

export const openInternet: Reach = Object.freeze({
  resolve: (hostname: string) => lookup(hostname, { all: true, verbatim: true }),
  isAllowed: isPublicAddress,
});

export interface PageRequest {
  readonly url: string;
  readonly reach: Reach;
  readonly signal: AbortSignal;
  /** Why a URL may not be fetched; asked for every step of a chain of redirects. */
  objection(url: URL): string | null;
}

/** `refused`: nothing was sent to the last URL. The body of an opened page has to be read or destroyed. */
export type OpenedPage =
  | { readonly kind: 'opened'; readonly url: URL; readonly response: IncomingMessage }
  | { readonly kind: 'refused'; readonly why: string };

const MAX_REDIRECTS = 5;
const MAX_URL_CHARS = 4_096;
const MAX_HEADER_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Follows a URL to what is not a redirect, every step checked before it is taken. Rejects on errors of the network. */
export async function openPage(page: PageRequest): Promise<OpenedPage> {
  let target = page.url;
  let base: URL | undefined;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const via = base === undefined ? '' : `${base.href} redirects to ${target.slice(0, 200)}: `;
    const url = parseUrl(target, base);
    if (typeof url === 'string') return { kind: 'refused', why: via + url };
    const step = await openOne(url, page);
    if (typeof step === 'string') return { kind: 'refused', why: via + step };
    const location = step.headers.location;
    if (!REDIRECTS.has(step.statusCode ?? 0) || location === undefined) return { kind: 'opened', url, response: step };
    step.destroy();
    target = location;
    base = url;
  }
  return {
    kind: 'refused',
    why: `More than ${MAX_REDIRECTS} redirects; the last one leads to ${target.slice(0, 200)}.`,
  };
}

function parseUrl(text: string, base: URL | undefined): URL | string {
  if (text.length > MAX_URL_CHARS) return `A URL has at most ${MAX_URL_CHARS} characters.`;
  if (!URL.canParse(text, base?.href)) return 'This is not a URL; write it whole, as in https://example.org/page.';
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `Only http and https are fetched, not ${url.protocol}`;
  if (url.username !== '' || url.password !== '') return 'A URL with a name or a password in it is not fetched.';
  url.hash = '';
  return url;
}

async function openOne(url: URL, page: PageRequest): Promise<IncomingMessage | string> {
  const objection = page.objection(url);
  if (objection !== null) return objection;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await unlessAborted(page.reach.resolve(host), page.signal);
  const private_ = addresses.find(({ address }) => !page.reach.isAllowed(address));
  if (addresses.length === 0) return `${host} has no address.`;
  if (private_ !== undefined)
    return `${host} is ${private_.address}, which is not on the open internet; local services are for the shell.`;
  return send(url, addresses, page.signal);
}

/** Connects to the very addresses that were checked: a second question to the name service might be answered otherwise. */
function send(url: URL, addresses: readonly Address[], signal: AbortSignal): Promise<IncomingMessage> {
  const [first = { address: '', family: 4 }] = addresses;
  const checked: LookupFunction = (_host, options, answer) => {
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
  const start = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = start(url, {
      method: 'GET',
      agent: false,
      lookup: checked,
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        'user-agent': 'workcenter',
        accept: 'text/html, text/*, application/json, */*;q=0.5',
        'accept-encoding': 'gzip',
      },
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
