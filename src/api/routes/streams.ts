import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isStoreError } from '../../store/store-error.ts';
import { authenticate } from '../access/authenticate.ts';
import type { ApiDeps } from '../deps.ts';
import { ChangeHub } from '../live/change-hub.ts';
import { type EventStream, eventStream } from '../live/event-stream.ts';
import { feedStream } from '../live/feed-stream.ts';
import { FEED_FRAME, ITEM_FRAME } from '../live/frames.ts';
import { itemStream } from '../live/item-stream.ts';
import { problem } from '../problem.ts';
import { ITEM } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const MAX_STREAMS = 2_000;

/** Each frame of a stream is of this shape, written as the fields of a server-sent event. */
const frames = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'text/event-stream': { schema } },
});

const LAST_ID = z.object({
  'last-event-id': z.string().max(40).optional().openapi({ description: 'The last id you had; browsers send it.' }),
});
const AFTER = z.object({
  after: z.string().max(40).optional().openapi({ description: 'In place of Last-Event-ID, for a first visit.' }),
});

const ofItem = createRoute({
  method: 'get',
  path: '/work-items/{id}/stream',
  summary: 'The events of one item as they happen, and text while it is being written',
  request: { params: ITEM, headers: LAST_ID, query: AFTER },
  responses: { 200: frames(ITEM_FRAME, 'Server-sent events, until you leave.'), ...REFUSALS },
});

const ofAll = createRoute({
  method: 'get',
  path: '/feed',
  summary: 'Which item is at which version, as it changes',
  request: { headers: LAST_ID },
  responses: { 200: frames(FEED_FRAME, 'Server-sent events, until you leave.'), ...REFUSALS },
});

/**
 * Live events (D33): one look at the store for all of them, and a bound to how many there are. An item's stream stays
 * open when the item ends: it may be reopened. Answers how to ask how many there are now.
 */
export function streams(app: OpenAPIHono, deps: ApiDeps, closing: AbortSignal): () => number {
  const { store, liveText, heartbeatMs, maxStreams = MAX_STREAMS } = deps;
  // Each of the streams hears of the end.
  setMaxListeners(0, closing);
  const failed = (route: string) => (error: unknown) => {
    // A store that fails is told of by whatever else needs it; here every client would say the same each second.
    if (!isStoreError(error)) deps.report({ id: randomBytes(4).toString('hex'), method: 'GET', route, error });
  };
  const hub = new ChangeHub(store, failed('/api/v1/feed'));
  let open = 0;
  const answer = (context: Context, parts: EventStream['parts']) => {
    if (open >= maxStreams) return full(context, maxStreams);
    open += 1;
    const onEnd = (): void => {
      open -= 1;
    };
    const onFailure = failed(context.req.routePath);
    return eventStream(context, { closing, parts, heartbeatMs, mayGoOn: mayGoOn(context, deps), onEnd, onFailure });
  };
  app.openapi(ofItem, async (context) => {
    const { id: itemId } = context.req.valid('param');
    const text = context.req.valid('header')['last-event-id'] ?? context.req.valid('query').after ?? '0';
    if (!/^\d{1,15}$/.test(text)) {
      const more = { expected: 'the id of an event: a whole number', found: text };
      return problem(context, { code: 'invalid_request', message: 'Where to go on cannot be read.', ...more });
    }
    const item = await store.load(itemId);
    if (!item) return itemNotFound(context, itemId);
    const place = { hub, liveText, itemId, after: Number(text), version: item.version, heartbeatMs };
    return answer(context, (waiter) => itemStream(place, waiter));
  });
  app.openapi(ofAll, (context) => {
    const lastId = context.req.valid('header')['last-event-id'];
    return answer(context, (waiter) => feedStream({ store, hub, lastId, heartbeatMs }, waiter));
  });
  return () => open;
}

function full(context: Context, most: number) {
  const next = 'Close streams that nobody reads: one feed tells of all items.';
  const message = `This server has ${most} streams open, which is all that it keeps.`;
  return problem(context, { code: 'too_many_streams', message, next });
}

/** A token may expire, or be revoked, while its stream is open. */
function mayGoOn(context: Context, { store, access }: ApiDeps): EventStream['mayGoOn'] {
  const header = context.req.header('authorization');
  return async () => header === undefined || (await authenticate(header, { store, ...access })).type === 'caller';
}
