import { lossOf, problemOf } from './answer.ts';
import type { Transport } from './call.ts';
import { framesOf } from './frames.ts';
import { mayPass, pause } from './patience.ts';
import { ProblemError } from './problem-error.ts';
import type { Event } from './schema.ts';

type LiveEnd = Readonly<Record<string, unknown>>;
type LiveText = LiveEnd;

/** Text that is being written; lossy, and replaced by a durable event. */
export type LiveFrame =
  | { readonly event: 'live'; readonly data: LiveText }
  | { readonly event: 'live-end'; readonly data: LiveEnd };

export interface FollowOptions {
  /** The sequence of the last event that is known already; 0 begins with the first. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Hears text while it is written. Must not throw. */
  readonly live?: (frame: LiveFrame) => void;
  /** A connection that gave no sign of life for so long is opened anew; the server gives one every 15 seconds. */
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;
const LONGEST_PAUSE_MS = 15_000;

/** Ends a connection that has fallen silent. */
function openWatchdog(idleMs: number, signal: AbortSignal | undefined) {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), idleMs);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), idleMs);
  };
  const signals = signal === undefined ? [silent.signal] : [signal, silent.signal];
  return { signal: AbortSignal.any(signals), heard, close: () => clearTimeout(timer) };
}

async function open({ url, token, fetch }: Transport, path: string, position: number, signal: AbortSignal) {
  const headers = {
    accept: 'text/event-stream',
    'last-event-id': String(position),
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

const lost = (id: string): ProblemError =>
  new ProblemError({
    code: 'stream_reset',
    status: 0,
    detail: `The server does not know where you stopped in ${id}.`,
    next: 'Read the item again, and follow it from its beginning.',
  });

/** Events of one connection behind `position`, until it ends. */
async function* oneConnection(
  body: ReadableStream<Uint8Array>,
  id: string,
  { live }: FollowOptions,
  told: { position: number; retryMs: number; readonly heard: () => void },
): AsyncGenerator<Event, void, undefined> {
  const { frames, retryMs } = framesOf(body, told.heard);
  try {
    for await (const { event, data } of frames) {
      if (event === 'reset') throw lost(id);
      if (event === 'live' || event === 'live-end') live?.({ event, data: JSON.parse(data) });
      if (event !== 'event') continue;
      const next: Event = JSON.parse(data);
      if (next.seq <= told.position) continue;
      told.position = next.seq;
      yield next;
    }
  } catch (error) {
    // A connection that broke is opened anew; what is ours is not.
    if (error instanceof ProblemError) throw error;
  } finally {
    told.retryMs = retryMs();
  }
}

/**
 * The events of an item, each once and in order, for as long as the caller listens: a lost connection or a server that
 * starts again is waited for and resumed where it stopped. Throws `ProblemError` for a refusal that stands.
 */
export async function* followItem(
  transport: Transport,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const { after = 0, signal, idleMs = IDLE_MS } = options;
  const path = `/api/v1/work-items/${encodeURIComponent(id)}/stream`;
  let position = after;
  let failures = 0;
  while (!signal?.aborted) {
    const watchdog = openWatchdog(idleMs, signal);
    const told = { position, retryMs: 1_000, heard: watchdog.heard };
    try {
      const opened = await open(transport, path, position, watchdog.signal);
      if (opened instanceof ReadableStream) {
        failures = 0;
        yield* oneConnection(opened, id, options, told);
        position = told.position;
      } else if (mayPass(opened)) failures += 1;
      else throw new ProblemError(opened);
    } finally {
      watchdog.close();
    }
    await pause(Math.min(told.retryMs * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS), signal);
  }
}
