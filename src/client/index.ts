/**
 * A typed client of the HTTP API, for programs: every route of the OpenAPI document, refusals as values, live events
 * that survive a lost connection. `docs/client.md` explains it.
 *
 * ```ts
 * const client = createClient({ url: 'http://127.0.0.1:7420' });
 * const { data, problem } = await client.get('/api/v1/work-items/{id}', { params: { path: { id: 'k3v9' } } });
 * console.log(problem ? problem.detail : data.sentence);
 * ```
 */

import type { Answer } from './answer.ts';
import { type Calls, openCalls, type Transport } from './call.ts';
import { type FollowOptions, followItem } from './follow.ts';
import { type FeedChange, followFeed } from './follow-feed.ts';
import type { Event, Item } from './schema.ts';
import type { StreamOptions } from './stream.ts';
import { type WaitOptions, waitForEnd } from './wait.ts';

export { type Answer, type ClientProblem, isProblem } from './answer.ts';
export type { Call, Calls, Transport } from './call.ts';
export type { FollowOptions, LiveFrame } from './follow.ts';
export type { FeedChange } from './follow-feed.ts';
export { ProblemError } from './problem-error.ts';
export type * from './schema.ts';
export type { StreamOptions } from './stream.ts';
export type { WaitOptions } from './wait.ts';

/** Every route by its method, and what takes more than one request. */
export interface WorkCenterClient extends Calls {
  /**
   * The events of an item, each once and in order; reconnects by itself. Ends with the signal, or with the loop.
   * Throws `ProblemError` for a refusal that stands, such as `item_not_found`.
   */
  followItem(id: string, options?: FollowOptions): AsyncGenerator<Event, void, undefined>;
  /** What changes anywhere; begins with `all`. Reconnects by itself. Throws `ProblemError` for a refusal that stands. */
  followFeed(options?: StreamOptions): AsyncGenerator<FeedChange, void, undefined>;
  /** Waits until an item is done or cancelled, or, where asked for, until it needs a person. */
  waitForEnd(id: string, options?: WaitOptions): Promise<Answer<Item>>;
}

export function createClient(transport: Transport): WorkCenterClient {
  const calls = openCalls(transport);
  return {
    ...calls,
    followItem: (id, options) => followItem(transport, id, options),
    followFeed: (options) => followFeed(transport, options),
    waitForEnd: (id, options = {}) => waitForEnd(calls, transport, id, options),
  };
}

/** Headers under which a change takes effect once, however often it is sent: `params: { header: onceUnder(key) }`. */
export const onceUnder = (key: string = globalThis.crypto.randomUUID()): { readonly 'idempotency-key': string } => ({
  'idempotency-key': key,
});
