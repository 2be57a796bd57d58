import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { ApiDeps } from '../deps.ts';
import { problem } from '../problem.ts';
import { eventView, itemNotFound } from './read-items.ts';
import { newWaiter, type Waiter } from './waiter.ts';

/** Where a client says that it stopped; a reconnecting browser sends the header by itself. */
function positionOf(context: Context): number | undefined {
  const text = context.req.header('last-event-id') ?? context.req.query('after') ?? '0';
  const position = Number(text);
  return /^\d{1,15}$/.test(text) ? position : undefined;
}

const RETRY_MS = 1_000;
const PAGE = 200;

/**
 * Live events (D33). An item's stream is its events by sequence, each once, resumed by `Last-Event-ID`; nothing is
 * dropped, for a slow reader is read for from the store. The feed says "item X is at version N", and only the newest.
 */
export function streams(app: OpenAPIHono, deps: ApiDeps, closing: AbortSignal): void {
  const { store } = deps;
  app.get('/work-items/:id/stream', async (context) => {
    const id = context.req.param('id');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const after = positionOf(context);
    if (after === undefined)
      return problem(context, { code: 'invalid_request', message: 'Last-Event-ID is the number of an event.' });
    return streamSSE(context, (stream) =>
      live(stream, deps, closing, (waiter) => itemEvents(stream, deps, id, after, waiter)),
    );
  });
  app.get('/feed', (context) =>
    streamSSE(context, (stream) => live(stream, deps, closing, (waiter) => feed(stream, deps, waiter))),
  );
}

/** Runs until the client has gone or the server closes; then says when to come back. */
async function live(
  stream: SSEStreamingApi,
  { store, heartbeatMs }: ApiDeps,
  closing: AbortSignal,
  work: (waiter: Waiter) => Promise<void>,
): Promise<void> {
  const waiter = newWaiter(store, heartbeatMs, closing);
  stream.onAbort(() => waiter.end());
  try {
    await work(waiter);
    if (!stream.aborted) await stream.writeSSE({ event: 'bye', data: '{}', retry: RETRY_MS });
  } finally {
    waiter.end();
  }
}

async function itemEvents(
  stream: SSEStreamingApi,
  { store }: ApiDeps,
  id: string,
  after: number,
  waiter: Waiter,
): Promise<void> {
  let position = after;
  while (!waiter.ended) {
    const events = await store.events(id, { after: position, limit: PAGE });
    for (const event of events) {
      await stream.writeSSE({ id: String(event.seq), event: 'event', data: JSON.stringify(eventView(event)) });
      position = event.seq;
    }
    if (events.length < PAGE && (await waiter.next()) === 'quiet') await stream.write(': still here\n\n');
  }
}

async function feed(stream: SSEStreamingApi, { store }: ApiDeps, waiter: Waiter): Promise<void> {
  let { cursor } = await store.changedSince(undefined);
  await stream.writeSSE({ event: 'ready', data: '{}' });
  while (!waiter.ended) {
    const changes = await store.changedSince(cursor);
    cursor = changes.cursor;
    const newest = new Map(changes.items.map(({ itemId, version }) => [itemId, version]));
    for (const [id, version] of newest) {
      await stream.writeSSE({ event: 'item', data: JSON.stringify({ id, version }) });
    }
    if ((await waiter.next()) === 'quiet') await stream.write(': still here\n\n');
  }
}
