import { type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { ServedApi } from '../../src/api/index.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  /** Sent as it stands: nothing is resolved or encoded. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** A request with headers that `fetch` would not send, and a path that it would tidy. */
export function ask({ url }: ServedApi, { method = 'GET', path, headers = {}, body }: Asked): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request({ host, port, path, method, headers: { ...length, ...headers }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Sends bytes as they stand and keeps the line open; what came back when the server has closed it. */
export function sendBytes({ url }: ServedApi, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (part) => {
      text += part.toString();
    });
    // A server that refuses in the middle of a body may reset the line.
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(text));
  });
}
