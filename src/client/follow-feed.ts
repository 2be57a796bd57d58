import type { Transport } from './call.ts';
import type { ItemChanged } from './schema.ts';
import { resumedFrames, type StreamOptions } from './stream.ts';

/** `all`: what one had may be of any age, so everything is read again; otherwise one item is at least at a version. */
export type FeedChange = ItemChanged | 'all';

/**
 * What changes anywhere, for as long as the caller listens. Changes of an item that follow each other closely are told
 * as one. Begins with `all`, and says it again where the server cannot tell what was missed.
 */
export async function* followFeed(
  transport: Transport,
  options: StreamOptions = {},
): AsyncGenerator<FeedChange, void, undefined> {
  let position: string | undefined;
  const frames = resumedFrames(transport, { path: '/api/v1/feed', position: () => position }, options);
  for await (const { event, id, data } of frames) {
    const isNew = position === undefined;
    position = id ?? position;
    if (event === 'reset' || (event === 'ready' && isNew)) yield 'all';
    if (event === 'item') yield JSON.parse(data) as ItemChanged;
  }
}
