import { Webhook as Signer } from 'standardwebhooks';
import { redact } from '../text/redact.ts';
import type { Attempt } from './records.ts';
import { retryAfterMs } from './retry-plan.ts';

/** One request to a receiver, as it leaves. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The beginning of the body. */
  readonly text: string;
}

/** Makes one request. Rejects with the cause when no answer comes, or when the signal is given. */
export type Send = (request: Outgoing, signal: AbortSignal) => Promise<Answered>;

/** A receiver has so long to answer. */
const ANSWER_MS = 10_000;
const ANSWER_CHARS = 500;

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < ANSWER_CHARS) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, ANSWER_CHARS);
}

/** Over HTTP. A redirect is an answer like any other: a signed body goes nowhere but where a person said. */
export const sendOverHttp: Send = async ({ url, headers, body }, signal) => {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: inTime });
  const { status } = response;
  // What it says beside the status is for people only: a body that breaks off does not make a failure of it.
  const text = await beginningOf(response.body).catch(() => '');
  return { status, retryAfter: response.headers.get('retry-after'), text };
};

/** `fetch` says "fetch failed" and keeps the reason in its causes. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  if (cause instanceof Error) return reasonOf(cause);
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ANSWER_MS / 1_000} s`;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

export interface Message {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

export interface Sender {
  readonly send: Send;
  readonly now: () => number;
  /** Named to receivers. */
  readonly version: string;
}

export interface Tried {
  readonly attempt: Attempt;
  readonly accepted: boolean;
  /** The receiver is gone for good and says so. */
  readonly gone: boolean;
  /** So long the receiver wants to be left alone. */
  readonly askedMs: number;
}

const ASKS_FOR_TIME: ReadonlySet<number> = new Set([429, 503]);

/** Signs a message for this very moment and sends it; what came of it is a value, whatever came. */
export async function trySend(sender: Sender, message: Message, signal: AbortSignal): Promise<Tried> {
  const { id, url, secret, body } = message;
  const at = sender.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': `workcenter/${sender.version}`,
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at / 1_000)}`,
    'webhook-signature': new Signer(secret).sign(id, new Date(at), body),
  };
  const since = performance.now();
  const took = () => Math.round(performance.now() - since);
  try {
    const { status, retryAfter, text } = await sender.send({ url, headers, body }, signal);
    const attempt = { at, durationMs: took(), status, answer: redact(text, [secret]) };
    const askedMs = ASKS_FOR_TIME.has(status) ? retryAfterMs(retryAfter, sender.now()) : 0;
    return { attempt, accepted: status >= 200 && status < 300, gone: status === 410, askedMs };
  } catch (error) {
    const attempt = { at, durationMs: took(), error: redact(reasonOf(error), [secret]), answer: '' };
    return { attempt, accepted: false, gone: false, askedMs: 0 };
  }
}
