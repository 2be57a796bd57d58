import type { Transport } from './call.ts';
import { ProblemError } from './problem-error.ts';
import type { Event, LiveEnd, LiveText } from './schema.ts';
import { resumedFrames, type StreamOptions } from './stream.ts';

/** Text that is being written; lossy, and replaced by a durable event. */
export type LiveFrame =
  | { readonly event: 'live'; readonly data: LiveText }
  | { readonly event: 'live-end'; readonly data: LiveEnd };

export interface FollowOptions extends StreamOptions {
  /** The sequence of the last event that is known already; 0 begins with the first. */
  readonly after?: number;
  /** Hears text while it is written. Must not throw. */
  readonly live?: (frame: LiveFrame) => void;
}

const lost = (id: string): ProblemError =>
  new ProblemError({
    code: 'stream_reset',
    status: 0,
    detail: `The server does not know where you stopped in ${id}.`,
    next: 'Read the item again, and follow it from its beginning.',
  });

/**
 * The events of an item, each once and in order, for as long as the caller listens: a lost connection or a server that
 * starts again is waited for and resumed where it stopped. Throws `ProblemError` for a refusal that stands.
 */
export async function* followItem(
  transport: Transport,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  let position = options.after ?? 0;
  const path = `/api/v1/work-items/${encodeURIComponent(id)}/stream`;
  const frames = resumedFrames(transport, { path, position: () => String(position) }, options);
  for await (const { event, data } of frames) {
    if (event === 'reset') throw lost(id);
    if (event === 'live' || event === 'live-end') options.live?.({ event, data: JSON.parse(data) });
    if (event !== 'event') continue;
    const next: Event = JSON.parse(data);
    if (next.seq <= position) continue;
    position = next.seq;
    yield next;
  }
}
