import type { Answer } from './answer.ts';
import { CODECS, serverSentEvent } from './protocols.ts';
import type { Broken, ErrorReply } from './scenario.ts';
import type { Protocol, ScriptedRequest } from './scripted-request.ts';
import { writeErrorBody, writeErrorEvent } from './write-error.ts';

/**
 * Bytes and how they end, all decided before the first is sent.
 *
 * | Ending | Meaning                                                    |
 * | ------ | ---------------------------------------------------------- |
 * | `end`  | in order                                                   |
 * | `cut`  | the connection is destroyed once everything is handed over |
 * | `hang` | nothing more, until the client or the server goes away     |
 */
export interface Delivery {
  /** Null: the connection is cut before any byte. */
  readonly head: Readonly<{ status: number; headers: Readonly<Record<string, string>> }> | null;
  readonly pieces: readonly string[];
  readonly ending: 'end' | 'cut' | 'hang';
}

/** What pauses a delivery has; they change no byte of it. */
export interface Pauses {
  readonly delayMs: number;
  readonly chunkDelayMs: number;
}

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const JSON_HEADERS = { 'content-type': 'application/json' };
const PAGE = '<!doctype html><html><head><title>Welcome</title></head><body>Please sign in.</body></html>';

/** The whole answer: the events of a stream, or one body. */
export function deliverAnswer(answer: Answer, request: ScriptedRequest): Delivery {
  const codec = CODECS[request.protocol];
  if (request.stream) {
    return { head: { status: 200, headers: STREAM_HEADERS }, pieces: codec.events(answer, request), ending: 'end' };
  }
  const pieces = [JSON.stringify(codec.body(answer))];
  return { head: { status: 200, headers: JSON_HEADERS }, pieces, ending: 'end' };
}

function errorBody(protocol: Protocol, error: ErrorReply): string {
  if (typeof error.body === 'string') return error.body;
  const { status, message = `scripted error ${status}` } = error;
  return JSON.stringify(error.body ?? writeErrorBody(protocol, { status, message }));
}

/** An error instead of an answer. */
export function deliverError(error: ErrorReply, protocol: Protocol): Delivery {
  const type = typeof error.body === 'string' ? 'text/plain; charset=utf-8' : JSON_HEADERS['content-type'];
  const headers = { 'content-type': type, ...error.headers };
  return { head: { status: error.status, headers }, pieces: [errorBody(protocol, error)], ending: 'end' };
}

/** Whole pieces until so many bytes are reached; of a single body exactly so many characters. */
function begun(pieces: readonly string[], bytes: number): readonly string[] {
  if (pieces.length === 1) return pieces.map((piece) => piece.slice(0, bytes));
  const sent: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (size >= bytes) break;
    sent.push(piece);
    size += Buffer.byteLength(piece);
  }
  return sent;
}

/** An answer that becomes an error on the way. A body that is no stream cannot say so: its connection is cut. */
export function deliverLateError(whole: Delivery, error: ErrorReply, request: ScriptedRequest): Delivery {
  const pieces = begun(whole.pieces, error.afterBytes ?? 0);
  if (!request.stream) return { ...whole, pieces, ending: 'cut' };
  const { status, message = `scripted error ${status}` } = error;
  const event = typeof error.body === 'object' ? error.body : writeErrorEvent(request.protocol, { status, message });
  return { ...whole, pieces: [...pieces, serverSentEvent(event)] };
}

const half = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** Half of it: of a stream half of its events, of a body half of its text. */
const firstHalf = (pieces: readonly string[]): readonly string[] =>
  pieces.length === 1 ? pieces.map(half) : pieces.slice(0, Math.ceil(pieces.length / 2));

function truncatedJson(whole: Delivery): readonly string[] {
  const kept = firstHalf(whole.pieces);
  if (whole.pieces.length === 1) return kept;
  return [...kept.slice(0, -1), ...kept.slice(-1).map((event) => `${half(event)}\n\n`)];
}

/** An answer that breaks in the given way. */
export function deliverBroken(whole: Delivery, broken: Broken): Delivery {
  switch (broken) {
    case 'before_headers':
      return { head: null, pieces: [], ending: 'cut' };
    case 'mid_stream':
      return { ...whole, pieces: firstHalf(whole.pieces), ending: 'cut' };
    case 'silent':
      return { ...whole, pieces: [], ending: 'hang' };
    case 'ends_early':
      return { ...whole, pieces: firstHalf(whole.pieces) };
    case 'truncated_json':
      return { ...whole, pieces: truncatedJson(whole) };
    case 'html':
      return { head: { status: 200, headers: { 'content-type': 'text/html' } }, pieces: [PAGE], ending: 'end' };
  }
}
