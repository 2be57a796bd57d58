import type { EventSourceMessage } from 'eventsource-parser/stream';
import { lossOf, problemOf } from './answer.ts';
import type { Transport } from './call.ts';
import { framesOf } from './frames.ts';
import { mayPass, pause } from './patience.ts';
import { ProblemError } from './problem-error.ts';

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** A connection that gave no sign of life for so long is opened anew; the server gives one every 15 seconds. */
  readonly idleMs?: number;
  /** Hears when a connection is there, and when it is lost. Must not throw. */
  readonly connected?: (isConnected: boolean) => void;
}

const IDLE_MS = 60_000;
const LONGEST_PAUSE_MS = 15_000;

/** Ends a connection that has fallen silent, or whose caller has had enough. */
function openWatchdog(idleMs: number, signal: AbortSignal | undefined) {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let timer = setTimeout(end, idleMs);
  if (signal?.aborted) end();
  // The body listens to this signal itself: what a `Request` made of one may be collected while the body is read, and then
  // never ends it.
  signal?.addEventListener('abort', end, { once: true });
  return {
    signal: ending.signal,
    heard(): void {
      clearTimeout(timer);
      timer = setTimeout(end, idleMs);
    },
    close(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
}

type Watchdog = ReturnType<typeof openWatchdog>;

async function open({ url, token, fetch }: Transport, path: string, position: string | undefined, signal: AbortSignal) {
  const headers = {
    accept: 'text/event-stream',
    ...(position === undefined ? {} : { 'last-event-id': position }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const request = new Request(new URL(path, url), { headers, signal });
  try {
    const response = await (fetch ?? globalThis.fetch)(request);
    if (response.ok && response.body) return response.body;
    return problemOf(response, await response.json().catch(() => undefined));
  } catch (error) {
    return lossOf(error, url);
  }
}

/** A stream that is resumed; who reads it moves `position` on when a frame has been taken in. */
export interface Resumable {
  readonly path: string;
  /** `Last-Event-ID` of the next connection. */
  readonly position: () => string | undefined;
}

/** Frames of one connection, until it ends; a connection that breaks ends like any other. */
async function* framesUntilLost(
  body: ReadableStream<Uint8Array>,
  { heard, signal }: Watchdog,
  told: { retryMs: number },
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const { frames, retryMs } = framesOf(body, heard, signal);
  const each = frames[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await each.next().catch(() => undefined);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    told.retryMs = retryMs();
    await each.return?.();
  }
}

/**
 * The frames of a stream over all its connections: a lost one, or a server that starts again, is waited for and resumed
 * at the position. Ends with the signal. Throws `ProblemError` for a refusal that stands.
 */
export async function* resumedFrames(
  transport: Transport,
  { path, position }: Resumable,
  { signal, idleMs = IDLE_MS, connected }: StreamOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let failures = 0;
  while (!signal?.aborted) {
    const watchdog = openWatchdog(idleMs, signal);
    const told = { retryMs: 1_000 };
    try {
      const opened = await open(transport, path, position(), watchdog.signal);
      if (opened instanceof ReadableStream) {
        failures = 0;
        connected?.(true);
        yield* framesUntilLost(opened, watchdog, told);
      } else if (mayPass(opened)) failures += 1;
      else throw new ProblemError(opened);
    } finally {
      watchdog.close();
    }
    if (signal?.aborted) return;
    connected?.(false);
    await pause(Math.min(told.retryMs * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS), signal);
  }
}
