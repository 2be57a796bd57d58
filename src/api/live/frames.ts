import { z } from '@hono/zod-openapi';
import { EVENT } from '../schemas.ts';

/**
 * What the streams send. Durable frames carry an `id`; a client that comes back with the last one it had
 * (`Last-Event-ID`) gets what is behind it, each once. Live text carries none: it is for watching, may have holes, and
 * is replaced by the durable event that says the same.
 *
 * | Frame      | Stream | `id`     | Meaning                                                                |
 * | ---------- | ------ | -------- | ---------------------------------------------------------------------- |
 * | `event`    | item   | sequence | what happened; none is left out and none comes twice                   |
 * | `live`     | item   |          | text that is being written; `offset` tells whether some was missed     |
 * | `live-end` | item   |          | that text is over: what is durable of it is behind you                 |
 * | `ready`    | feed   | cursor   | you hear of changes from here on; a new client reads its list now      |
 * | `item`     | feed   | cursor   | this item is at least at this version                                  |
 * | `reset`    | both   | both     | where you stopped is not known here: forget what you have, read again  |
 * | `bye`      | both   |          | the server ends the stream; `retry` says when to come back             |
 */

/** Which text: of one model request (`callId`), or all that one Run prints. */
const LIVE_SOURCE = z.object({
  kind: z.enum(['text', 'output']).openapi({ description: '`text` of a model, or `output` of a Run.' }),
  runId: z.string().optional(),
  turnId: z.string().optional().openapi({ description: 'In place of `runId` where the Coordinator speaks.' }),
  actionId: z.string().optional(),
  callId: z.string().optional().openapi({ description: 'The model request, with `text`.' }),
});

export const LIVE = LIVE_SOURCE.extend({
  offset: z
    .number()
    .int()
    .openapi({
      description: 'Where the text begins, in UTF-16 units; more than you have means that some was dropped.',
    }),
  text: z.string(),
}).openapi('LiveText');

export const LIVE_END = LIVE_SOURCE.openapi('LiveEnd');

export const CHANGED = z.object({ id: z.string(), version: z.number().int() }).openapi('ItemChanged');

const NOTHING = z.object({});
const retry = z.number().int().openapi({ description: 'Milliseconds.', example: 1_500 });

/** One frame of an item's stream, as the fields of a server-sent event; `data` is sent as JSON. */
export const ITEM_FRAME = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('event'), id: z.string(), data: EVENT }),
    z.object({ event: z.literal('live'), data: LIVE }),
    z.object({ event: z.literal('live-end'), data: LIVE_END }),
    z.object({ event: z.literal('reset'), id: z.string(), data: NOTHING }),
    z.object({ event: z.literal('bye'), retry, data: NOTHING }),
  ])
  .openapi('ItemFrame');

/** One frame of the feed. */
export const FEED_FRAME = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('ready'), id: z.string(), data: NOTHING }),
    z.object({ event: z.literal('item'), id: z.string().optional(), data: CHANGED }),
    z.object({ event: z.literal('reset'), id: z.string(), data: NOTHING }),
    z.object({ event: z.literal('bye'), retry, data: NOTHING }),
  ])
  .openapi('FeedFrame');

export type ItemFrame = z.infer<typeof ITEM_FRAME>;
export type FeedFrame = z.infer<typeof FEED_FRAME>;
export type LiveSource = z.infer<typeof LIVE_SOURCE>;

/** When a client whose stream ended should come back; spread, so that a thousand do not come at once. */
export const retryMs = (): number => 1_000 + Math.round(Math.random() * 1_000);

/** A frame on the wire. JSON has no line breaks, so one `data:` line is enough. */
export function encodeFrame(frame: ItemFrame | FeedFrame): string {
  const id = 'id' in frame && frame.id !== undefined ? `id: ${frame.id}\n` : '';
  const again = 'retry' in frame ? `retry: ${frame.retry}\n` : '';
  return `event: ${frame.event}\n${id}${again}data: ${JSON.stringify(frame.data)}\n\n`;
}

/** A comment: the line is alive, and nothing has happened. */
export const SIGN_OF_LIFE = ': still here\n\n';
