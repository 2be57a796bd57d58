import type { Context } from 'hono';
import type { ProblemResponse } from '../problem.ts';
import { encodeFrame, retryMs } from './frames.ts';
import { newWaiter, type Waiter } from './waiter.ts';

export interface EventStream {
  /** The server's end. */
  readonly closing: AbortSignal;
  /** What is sent, part by part; asked for the next one when the one before is on its way. */
  readonly parts: (waiter: Waiter) => AsyncGenerator<Uint8Array | string>;
  /** Whether the client may still read; asked once in a heartbeat. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly heartbeatMs: number;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
  /** Hears why it could not go on. */
  readonly onFailure: (error: unknown) => void;
}

const encoder = new TextEncoder();
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-cache, no-transform',
  // A proxy that gathers would hold back what is to be live.
  'X-Accel-Buffering': 'no',
};

/**
 * Answers with server-sent events that are made only as fast as the socket takes them: nothing is read ahead. The end
 * by the server, a failing store included, is a `bye` that says when to come back.
 */
export function eventStream(context: Context, stream: EventStream): ProblemResponse {
  if (context.req.method === 'HEAD') {
    stream.onEnd();
    return context.body(null, 200, HEADERS) as Response as ProblemResponse;
  }
  const waiter = newWaiter(stream.closing);
  const parts = untilTheEnd(stream, waiter);
  let isOver = false;
  const end = (): void => {
    if (!isOver) stream.onEnd();
    isOver = true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) {
          end();
          controller.close();
        } else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      async cancel() {
        end();
        waiter.end();
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return context.body(body, 200, HEADERS) as Response as ProblemResponse;
}

async function* untilTheEnd(stream: EventStream, waiter: Waiter): AsyncGenerator<Uint8Array | string> {
  const { parts, mayGoOn, heartbeatMs, onFailure } = stream;
  let askedMs = performance.now();
  try {
    // For a client whose server goes without a word.
    yield `retry: ${retryMs()}\n\n`;
    for await (const part of parts(waiter)) {
      yield part;
      if (performance.now() - askedMs < heartbeatMs) continue;
      if (!(await mayGoOn())) break;
      askedMs = performance.now();
    }
  } catch (error) {
    onFailure(error);
  }
  waiter.end();
  yield encodeFrame({ event: 'bye', retry: retryMs(), data: {} });
}
