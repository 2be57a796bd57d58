import type { Refusal } from './refusal.ts';

export type Activity = 'sent' | 'bytes' | 'reasoning' | 'text' | 'tool_call';

export interface WireOptions {
  readonly signal: AbortSignal;
  /** Silence after which a request is given up; a comment or a ping of the provider breaks it. */
  readonly idleTimeoutMs: number;
  /** See `CallOptions.onSend`. */
  readonly onSend?: () => void | Promise<void>;
  readonly onActivity?: (kind: Activity) => void;
  readonly fetch?: typeof fetch;
}

/**
 * What is known about one request, whatever the adapter above makes of it.
 *
 * | Field      | Set                                                                   |
 * | ---------- | --------------------------------------------------------------------- |
 * | sent       | just before the bytes may leave                                       |
 * | held       | `onSend` threw: nothing was sent                                      |
 * | refusal    | the answer is no stream: not 2xx, or a web page                        |
 * | answerType | the content type of a 2xx answer                                       |
 * | failure    | the connection failed before an answer                                 |
 * | stopped    | by the caller, by silence, or because the answer would not end         |
 * | finish     | while an answer is read                                               |
 */
export interface WireFacts {
  sent: boolean;
  held?: Readonly<{ error: unknown }>;
  refusal?: Refusal;
  answerType?: string;
  failure?: unknown;
  stopped?: 'aborted' | 'idle' | 'too_long';
  /** Ends the answer cleanly where it is. */
  finish?: () => void;
}

/** One request and its answer. `close` ends whatever is left of it: timer, listener, connection. */
export interface Wire {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly facts: WireFacts;
  /** The answer is complete: a connection that stays open and says nothing more is ended as if it had been closed. */
  expectEnd(): void;
  close(): void;
}

const ERROR_BODY_BYTES = 64 * 1024;
const ANSWER_BYTES = 64 * 1024 * 1024;
/** How long what may follow the end of an answer, such as its usage, is waited for. */
const END_GRACE_MS = 3_000;

/** Opens the way to the provider for one request; a second one through it is a programmer error. */
export function openWire(options: WireOptions): Wire {
  const facts: WireFacts = { sent: false };
  const control = new AbortController();
  const stop = (why: NonNullable<WireFacts['stopped']>): void => {
    if (control.signal.aborted) return;
    facts.stopped = why;
    control.abort(new Error(`The request was stopped: ${why}.`));
  };
  const silence = silenceTimer();
  const onAbort = (): void => stop('aborted');
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  return {
    facts,
    signal: control.signal,
    fetch: (input, init) => exchange(input, init, { options, facts, signal: control.signal, silence, stop }),
    expectEnd: once(() => silence.begin(Math.min(END_GRACE_MS, options.idleTimeoutMs), () => facts.finish?.())),
    close() {
      silence.end();
      options.signal.removeEventListener('abort', onAbort);
      control.abort();
    },
  };
}

interface Exchange {
  readonly options: WireOptions;
  readonly facts: WireFacts;
  readonly signal: AbortSignal;
  readonly silence: SilenceTimer;
  readonly stop: (why: NonNullable<WireFacts['stopped']>) => void;
}

async function exchange(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { options, facts, signal, silence, stop }: Exchange,
): Promise<Response> {
  if (facts.sent) throw new Error('One call sends one request.');
  signal.throwIfAborted();
  await announced(options, facts);
  signal.throwIfAborted();
  facts.sent = true;
  silence.begin(options.idleTimeoutMs, () => stop('idle'));
  options.onActivity?.('sent');
  const response = await connected(facts, () =>
    (options.fetch ?? fetch)(input, { ...init, redirect: 'manual', signal }),
  );
  silence.broken();
  if (!response.ok || typeOf(response).includes('html')) {
    facts.refusal = await refusalOf(response);
    throw new Error(`Refused with HTTP ${response.status}.`);
  }
  facts.answerType = typeOf(response);
  return watched(response, facts, (total) => {
    silence.broken();
    options.onActivity?.('bytes');
    if (total > ANSWER_BYTES) stop('too_long');
  });
}

async function announced(options: WireOptions, facts: WireFacts): Promise<void> {
  try {
    await options.onSend?.();
  } catch (error) {
    facts.held = { error };
    throw error;
  }
}

async function connected(facts: WireFacts, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    facts.failure = error;
    throw error;
  }
}

const typeOf = (response: Response): string => response.headers.get('content-type') ?? '';

/** The status alone is proof: a body that breaks off is as good as none. */
async function refusalOf(response: Response): Promise<Refusal> {
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await beginningOf(response) };
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ERROR_BODY_BYTES) break;
    }
  } catch {
    // What was read before it broke off is kept.
  }
  return Buffer.concat(chunks).subarray(0, ERROR_BODY_BYTES).toString('utf8');
}

function watched(response: Response, facts: WireFacts, onBytes: (total: number) => void): Response {
  let total = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      facts.finish = () => controller.terminate();
    },
    transform(chunk, controller) {
      total += chunk.length;
      onBytes(total);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter) ?? null, response);
}

interface SilenceTimer {
  /** Replaces what was begun before. */
  begin(silenceMs: number, onSilence: () => void): void;
  broken(): void;
  end(): void;
}

function silenceTimer(): SilenceTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin(silenceMs, onSilence) {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    broken: () => timer?.refresh(),
    end: () => clearTimeout(timer),
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
