import { redact } from '../text/redact.ts';
import { adapterFor } from './adapter.ts';
import { adapterOptions } from './adapter-options.ts';
import { modelIdOf, providerNameOf } from './model-id.ts';
import type { ModelRequest } from './model-request.ts';
import type { CallEnd, UnknownCode } from './model-response.ts';
import { networkFailure } from './network-error.ts';
import type { ResolvedProvider } from './providers.ts';
import { type AnswerReader, answerReader } from './read-answer.ts';
import { codeOfFirstError, endOfRefusal, type FailedEnd, rejected } from './refusal.ts';
import { type Activity, openWire, type Wire, type WireFacts } from './wire.ts';

export interface CallOptions {
  readonly provider: ResolvedProvider;
  readonly signal: AbortSignal;
  /**
   * Longest silence between two chunks of bytes, 90 s unless said; 1..600,000. The `fetch` of Node gives up by itself
   * after 300 s, which is the same end.
   */
  readonly idleTimeoutMs?: number;
  /** Something came, for progress and for leases. Must not throw. */
  readonly onActivity?: (kind: Activity) => void;
  /** Text for people to watch. What counts is the response. Must not throw. */
  readonly onText?: (delta: string) => void;
  /** Awaited just before the bytes leave, once: what must be durable by then. If it throws, nothing is sent and `callModel` throws the same. */
  readonly onSend?: () => void | Promise<void>;
  readonly fetch?: typeof fetch;
  /** Epoch milliseconds, for reset times. */
  readonly now?: () => number;
}

export const IDLE_TIMEOUT_MS = Object.freeze({ initial: 90_000, longest: 600_000 });

/** Longer messages are cut, but only after secrets were taken out whole. */
const MESSAGE_CHARS = 600;

/**
 * Sends one request, at most once, and says how it ended. No retry, no redirect, no tool run; a caller who stopped it
 * before anything was sent gets `rejected: unreachable`, one who stopped it later `unknown: aborted`. Expected ends are
 * values, and no message of theirs holds the key.
 */
export async function callModel(request: ModelRequest, options: CallOptions): Promise<CallEnd> {
  const { provider } = options;
  const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS.initial;
  if (providerNameOf(request.model) !== provider.name) throw new Error(`${request.model} is not of ${provider.name}.`);
  if (!(idleTimeoutMs > 0 && idleTimeoutMs <= IDLE_TIMEOUT_MS.longest))
    throw new RangeError('idleTimeoutMs: 1..600000');
  const wire = openWire({ ...options, idleTimeoutMs });
  const reader = answerReader(provider.protocol, request.model);
  try {
    const thrown = await exchangeAll(request, options, wire, reader);
    if (wire.facts.held) throw wire.facts.held.error;
    if (reader.complete()) return { kind: 'responded', response: reader.response() };
    const now = (options.now ?? Date.now)();
    return withoutSecrets(failedEnd(wire.facts, reader, thrown?.error, provider, now), provider);
  } finally {
    wire.close();
  }
}

async function exchangeAll(
  request: ModelRequest,
  options: CallOptions,
  wire: Wire,
  reader: AnswerReader,
): Promise<Readonly<{ error: unknown }> | undefined> {
  try {
    const adapter = await adapterFor(options.provider, modelIdOf(request.model), wire.fetch);
    const call = { ...adapterOptions(request, options.provider.protocol), abortSignal: wire.signal };
    const { stream } = await adapter.doStream(call);
    for await (const part of stream) {
      const progress = reader.take(part);
      if (progress) options.onActivity?.(progress);
      if (part.type === 'text-delta') options.onText?.(part.delta);
      if (reader.ended()) wire.expectEnd();
    }
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** What is known decides, in this order: the status, whether anything left, who stopped it, what the stream said. */
function failedEnd(
  facts: WireFacts,
  reader: AnswerReader,
  thrown: unknown,
  provider: ResolvedProvider,
  now: number,
): FailedEnd {
  if (facts.refusal) return endOfRefusal(facts.refusal, provider.baseUrl, now);
  if (!facts.sent) return notSent(facts, thrown);
  const usage = reader.usage();
  const unknown = (code: UnknownCode, message: string): FailedEnd => ({
    kind: 'unknown',
    code,
    message,
    ...(usage && { usage }),
  });
  if (facts.stopped === 'aborted') return unknown('aborted', 'Stopped after the request was sent.');
  if (facts.stopped === 'idle') return unknown('idle_timeout', 'The provider fell silent.');
  if (facts.stopped === 'too_long') return unknown('malformed_body', 'The answer did not end.');
  if (facts.failure !== undefined) return failedConnection(facts.failure, provider, unknown);
  const error = reader.error() ?? (thrown === undefined ? undefined : { value: thrown, atOnce: true });
  return error ? failedStream(error, facts, unknown) : unfinished(facts, unknown);
}

type Unknown = (code: UnknownCode, message: string) => FailedEnd;

function notSent(facts: WireFacts, thrown: unknown): FailedEnd {
  if (facts.stopped) return rejected('unreachable', 'Stopped before anything was sent.');
  return rejected('bad_request', `The request cannot be expressed for this provider: ${messageOf(thrown)}`);
}

function failedConnection(failure: unknown, provider: ResolvedProvider, unknown: Unknown): FailedEnd {
  const { beforeSending, timedOut, message } = networkFailure(failure);
  if (beforeSending) return rejected('unreachable', `${provider.name} at ${provider.baseUrl}: ${message}`);
  return unknown(timedOut ? 'idle_timeout' : 'broken_stream', message);
}

/** Errors of the adapters that mean bytes which are no events, or events which are not of the protocol. */
const MALFORMED = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
]);

function failedStream(
  { value, atOnce }: Readonly<{ value: unknown; atOnce: boolean }>,
  facts: WireFacts,
  unknown: Unknown,
): FailedEnd {
  const message = messageOf(value);
  if (value instanceof Error && value.message.includes('without a finish reason')) return unfinished(facts, unknown);
  if (value instanceof Error && MALFORMED.has(value.name))
    return unknown('malformed_body', `Not of the protocol: ${message}`);
  const words = errorWords(value);
  if (words === undefined) return unknown('broken_stream', networkFailure(value).message);
  const code = atOnce ? codeOfFirstError(words) : undefined;
  return code ? rejected(code, message) : unknown('server_error', message);
}

/** Only a stream of events can break off; another body was never one. */
function unfinished(facts: WireFacts, unknown: Unknown): FailedEnd {
  const type = facts.answerType ?? '';
  if (type.includes('json')) return unknown('malformed_body', `Expected a stream of events, found ${type}.`);
  return unknown('broken_stream', 'The stream ended before the answer did.');
}

/** The text of an error that the provider itself sent; undefined for one of ours or of the connection. */
function errorWords(value: unknown): string | undefined {
  if (!(value instanceof Error)) return JSON.stringify(value);
  return 'responseBody' in value && typeof value.responseBody === 'string' ? value.responseBody : undefined;
}

function messageOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const found = typeof value === 'object' && value !== null && 'message' in value ? value.message : undefined;
  return typeof found === 'string' && found !== '' ? found : 'an error without a message';
}

function withoutSecrets(end: FailedEnd, provider: ResolvedProvider): FailedEnd {
  const key = provider.key();
  return { ...end, message: redact(end.message, key === undefined ? [] : [key]).slice(0, MESSAGE_CHARS) };
}
