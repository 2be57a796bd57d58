import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A client as browsers are: it comes back by itself, with the id of the last frame it had. */
export interface Follower {
  /** Ids of durable events as they came, each time that they came. */
  readonly seqs: readonly number[];
  /** Of all durable data in the order in which it came. */
  digest(): string;
  /** How often it had to come back. */
  readonly returns: number;
  stop(): Promise<void>;
}

interface Target {
  readonly port: number;
  readonly path: string;
}

export function follow(target: Target): Follower {
  const seqs: number[] = [];
  const hash = createHash('sha256');
  const stopping = new AbortController();
  const at = { lastId: '', retryMs: 1_000, returns: -1 };
  const take = ({ event, id, data }: EventSourceMessage): void => {
    if (id !== undefined) at.lastId = id;
    if (event !== 'event') return;
    seqs.push(Number(id));
    hash.update(`${data}\n`);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      at.returns += 1;
      await visit(target, at, take, stopping.signal);
      await pause(at.retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const over = loop();
  return {
    seqs,
    digest: () => hash.copy().digest('hex'),
    get returns() {
      return at.returns;
    },
    async stop() {
      stopping.abort();
      await over;
    },
  };
}

/** One connection, until it ends in whatever way. */
function visit(
  { port, path }: Target,
  at: { lastId: string; retryMs: number },
  onEvent: (frame: EventSourceMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    // What was cut off in the middle is nothing: each visit begins with an empty line.
    const parser = createParser({
      onEvent,
      onRetry: (retryMs) => {
        at.retryMs = retryMs;
      },
    });
    const headers = { accept: 'text/event-stream', ...(at.lastId === '' ? {} : { 'last-event-id': at.lastId }) };
    const asked = get({ host: '127.0.0.1', port, path, headers, signal }, (response: IncomingMessage) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => parser.feed(text));
      response.on('error', () => resolve());
      response.on('close', () => resolve());
    });
    asked.on('error', () => resolve());
  });
}
