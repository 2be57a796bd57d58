import { Worker } from 'node:worker_threads';

/** A pattern as `RegExp` takes it. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

export interface SearchRequest {
  /** UTF-8 text; handed over, so not usable afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pattern: Pattern;
  /** The pattern may span lines. */
  readonly multiline: boolean;
  /** Lines shown around a hit. */
  readonly before: number;
  readonly after: number;
  /** Hits after which the text is left. */
  readonly limit: number;
}

export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** At most 500 characters, around the hit. */
  readonly text: string;
  readonly isHit: boolean;
}

export interface SearchAnswer {
  readonly hits: number;
  readonly lines: readonly FoundLine[];
}

/** `too_slow`: the pattern had not come to an end in its time and was stopped. */
export type Guarded<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'too_slow' };

/** Runs untrusted patterns beside the event loop. Close it: it holds a thread. */
export interface GuardedRegExp {
  /** Which of the texts match. */
  test(pattern: Pattern, texts: readonly string[]): Promise<Guarded<readonly boolean[]>>;
  search(request: SearchRequest): Promise<Guarded<SearchAnswer>>;
  close(): Promise<void>;
}

/**
 * The other side, as text: a pattern that runs for ever can only be stopped with its thread, and a thread starts from
 * plain JavaScript wherever this module is run from.
 */
const WORKER = String.raw`
const { parentPort } = require('node:worker_threads');
const SHOWN = 500;

function excerpt(line, at) {
  if (line.length <= SHOWN) return line;
  const from = Math.max(0, Math.min(at - 100, line.length - SHOWN));
  return (from > 0 ? '…' : '') + line.slice(from, from + SHOWN) + (from + SHOWN < line.length ? '…' : '');
}

function lineHits(lines, { pattern, limit }) {
  const regexp = new RegExp(pattern.source, pattern.flags);
  const hits = new Map();
  for (let i = 0; i < lines.length && hits.size < limit; i += 1) {
    const match = regexp.exec(lines[i]);
    if (match !== null) hits.set(i, match.index);
  }
  return { hits, count: hits.size };
}

function textHits(text, starts, { pattern, limit }) {
  const regexp = new RegExp(pattern.source, pattern.flags);
  const hits = new Map();
  let count = 0;
  let line = 0;
  for (let match = regexp.exec(text); match !== null && count < limit; match = regexp.exec(text)) {
    count += 1;
    if (match[0] === '') regexp.lastIndex += 1;
    while (line + 1 < starts.length && starts[line + 1] <= match.index) line += 1;
    const end = match.index + Math.max(0, match[0].length - 1);
    for (let i = line; i < starts.length && starts[i] <= end && hits.size < limit + 1000; i += 1) {
      if (!hits.has(i)) hits.set(i, i === line ? match.index - starts[i] : 0);
    }
    if (regexp.lastIndex > text.length) break;
  }
  return { hits, count };
}

function search(request) {
  const text = new TextDecoder().decode(request.bytes).replace(/\r\n/g, '\n');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let starts = [];
  if (request.multiline) {
    let at = 0;
    for (const line of lines) { starts.push(at); at += line.length + 1; }
  }
  const { hits, count } = request.multiline ? textHits(text, starts, request) : lineHits(lines, request);
  const shown = new Set();
  for (const hit of hits.keys()) {
    const last = Math.min(lines.length - 1, hit + request.after);
    for (let i = Math.max(0, hit - request.before); i <= last; i += 1) shown.add(i);
  }
  const numbers = [...shown].sort((a, b) => a - b);
  const found = numbers.map((i) => ({ number: i + 1, text: excerpt(lines[i], hits.get(i) ?? 0), isHit: hits.has(i) }));
  return { hits: count, lines: found };
}

function test({ pattern, texts }) {
  const regexp = new RegExp(pattern.source, pattern.flags);
  return texts.map((text) => regexp.test(text));
}

parentPort.on('message', (job) => parentPort.postMessage(job.kind === 'test' ? test(job) : search(job)));
`;

/** @param limitMs Time for one call; a pattern that needs longer is `too_slow`, and so is every later call. */
export function guardedRegExp(limitMs: number, signal: AbortSignal): GuardedRegExp {
  const worker = new Worker(WORKER, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // A busy machine may take long to start a thread; that is not the pattern's fault.
  const online = new Promise<void>((resolve, reject) => {
    worker.once('online', resolve);
    worker.once('error', reject);
  });
  const ask = async (job: object, transfer: ArrayBuffer[]) => {
    await online;
    return askWorker(worker, job, transfer, limitMs, signal);
  };
  return {
    test: async (pattern, texts) => (await ask({ kind: 'test', pattern, texts }, [])) as Guarded<readonly boolean[]>,
    search: async (request) =>
      (await ask({ kind: 'search', ...request }, [request.bytes.buffer])) as Guarded<SearchAnswer>,
    close: async () => {
      await worker.terminate();
    },
  };
}

function askWorker(
  worker: Worker,
  job: object,
  transfer: ArrayBuffer[],
  limitMs: number,
  signal: AbortSignal,
): Promise<Guarded<unknown>> {
  return new Promise((resolve, reject) => {
    const handlers = {
      message: (value: unknown) => settle(() => resolve({ kind: 'done', value })),
      error: (error: Error) => settle(() => (isExhausted(error) ? resolve({ kind: 'too_slow' }) : reject(error))),
      exit: () => settle(() => resolve({ kind: 'too_slow' })),
    };
    const settle = (act: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      for (const [event, handler] of Object.entries(handlers)) worker.off(event, handler);
      act();
    };
    const stop = (act: () => void) => settle(() => void worker.terminate().then(act, reject));
    const onAbort = () => stop(() => reject(signal.reason));
    const timer = setTimeout(() => stop(() => resolve({ kind: 'too_slow' })), limitMs);
    for (const [event, handler] of Object.entries(handlers)) worker.once(event, handler);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return onAbort();
    worker.postMessage(job, transfer);
  });
}

/** A pattern can also run out of memory or stack; that is its fault, not ours. */
const isExhausted = (error: Error & { readonly code?: string }) =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
