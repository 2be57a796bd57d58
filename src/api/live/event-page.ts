import type { Store } from '../../store/store.ts';
import { eventView } from '../views/entry.ts';
import { encodeFrame } from './frames.ts';

/** Events of an item as they go over the wire. */
export interface EventPage {
  readonly bytes: Uint8Array;
  /** Sequence of the last event; of the one before the page where it is empty. */
  readonly last: number;
  /** There may be more already. */
  readonly isFull: boolean;
}

/** What a stream holds while its client does not read. */
const EVENTS = 32;

const encoder = new TextEncoder();

export async function readPage(store: Pick<Store, 'events'>, itemId: string, after: number): Promise<EventPage> {
  const events = await store.events(itemId, { after, limit: EVENTS });
  const frames = events.map((event) => encodeFrame({ event: 'event', id: String(event.seq), data: eventView(event) }));
  return {
    bytes: encoder.encode(frames.join('')),
    last: events.at(-1)?.seq ?? after,
    isFull: events.length === EVENTS,
  };
}
