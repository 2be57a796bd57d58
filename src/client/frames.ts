import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';

/** A stream's frames as they come, and how long the server asks to wait before coming back. */
export interface Frames {
  readonly frames: AsyncIterable<EventSourceMessage>;
  /** Milliseconds; what the server said last. */
  readonly retryMs: () => number;
}

const USUAL_RETRY_MS = 1_000;

async function* read(body: ReadableStream<EventSourceMessage>): AsyncGenerator<EventSourceMessage> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Also where the connection broke: there is nobody left to tell.
    await reader.cancel().catch(() => undefined);
  }
}

/** Server-sent events of a response, until the signal; `onByte` hears every sign of life, also comments. */
export function framesOf(body: ReadableStream<Uint8Array>, onByte: () => void, signal: AbortSignal): Frames {
  let retryMs = USUAL_RETRY_MS;
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onByte();
      controller.enqueue(chunk);
    },
  });
  const parser = new EventSourceParserStream({
    onRetry: (ms) => {
      retryMs = ms;
    },
  });
  const messages = body
    .pipeThrough(heard, { signal })
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(parser);
  return { frames: read(messages), retryMs: () => retryMs };
}
