import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Changes, Store } from '../../store/store.ts';
import type { ChangeHub } from './change-hub.ts';
import { encodeFrame, SIGN_OF_LIFE } from './frames.ts';
import type { Waiter } from './waiter.ts';

export interface FeedStream {
  readonly store: Store;
  readonly hub: ChangeHub;
  /** The last id that the client had, whatever it says. */
  readonly lastId?: string | undefined;
  readonly heartbeatMs: number;
}

/** Who was away for longer reads its list again, which is less than all that happened. */
const GAP_EVENTS = 10_000;

/**
 * "Item X is at version N", only the newest of each (D33). Ids are places in the order of commits of this very store;
 * who comes back with one hears of what changed since, who comes with another's begins again.
 */
export async function* feedStream(stream: FeedStream, waiter: Waiter): AsyncGenerator<string> {
  const { hub, store, lastId, heartbeatMs } = stream;
  const stop = await hub.watchFeed(waiter.stir);
  try {
    const identity = await identityOf(store);
    const { cursor: present } = await store.changedSince(undefined);
    const known = lastId === undefined ? undefined : placeOf(lastId, identity, present);
    let position = known ?? present;
    const event = lastId === undefined || known !== undefined ? 'ready' : 'reset';
    yield encodeFrame({ event, id: `${identity}-${position}`, data: {} });
    while (!waiter.ended) {
      const changes = await hub.since(position);
      position = changes.cursor;
      if (changes.items.length > 0) yield itemFrames(changes, identity);
      else if ((await waiter.next(heartbeatMs)) === 'quiet') yield SIGN_OF_LIFE;
    }
  } finally {
    stop();
  }
}

/** The last one carries the place: whoever loses the line before it hears all of them again. */
const itemFrames = ({ cursor, items }: Changes, identity: string): string =>
  items
    .map(({ itemId, version }, index) => {
      const id = index === items.length - 1 ? { id: `${identity}-${cursor}` } : {};
      return encodeFrame({ event: 'item', ...id, data: { id: itemId, version } });
    })
    .join('');

/** Undefined: of another store, of the future, or too long ago. */
function placeOf(id: string, identity: string, present: number): number | undefined {
  const [, store, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  const place = Number(digits);
  return store === identity && place <= present && present - place <= GAP_EVENTS ? place : undefined;
}

const KIND = 'feed';
const ID = 'store';
const IDENTITY = z.object({ identity: z.string().regex(/^[0-9a-f]{8}$/) });

/** Tells this store from others, whose places mean something else. Made when it is first needed. */
async function identityOf(store: Store): Promise<string> {
  const found = await store.getRecord(KIND, ID);
  if (found) return IDENTITY.parse(found.value).identity;
  await store.putRecord({ kind: KIND, id: ID, at: 0, value: { identity: randomUUID().slice(0, 8) } }, 0);
  return identityOf(store);
}
