import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback that does with its nth request, from 0, what the test says; without a word it accepts. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  answers(answer: (response: ServerResponse, n: number) => void): void;
  /** Waits until so many requests have come. */
  got(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer = (response: ServerResponse, _n: number): void => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const n = received.push({ headers: request.headers, body: Buffer.concat(parts).toString() }) - 1;
      answer(response, n);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers: (next) => {
      answer = next;
    },
    got: (count) => until(`${count} requests came`, () => received.length >= count),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The headers that the library asks for. */
export const signedHeaders = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
