import type { LivePiece, LiveText } from '../../engine/index.ts';
import type { ChangeHub } from './change-hub.ts';
import { encodeFrame, SIGN_OF_LIFE } from './frames.ts';
import type { Waiter } from './waiter.ts';

export interface ItemStream {
  readonly hub: ChangeHub;
  readonly liveText?: LiveText | undefined;
  readonly itemId: string;
  /** Sequence of the last event that the client has. */
  readonly after: number;
  /** Sequence of the last event there is: who has more than that has it from elsewhere. */
  readonly version: number;
  readonly heartbeatMs: number;
}

/**
 * An item's events in their order, each once (D33), and what is being written meanwhile. It is asked for the next part
 * when the socket has taken the one before: durable events are then read from the store, from where the client is, and
 * live text is what is left of it by then. So a slow client holds one page, misses live text, and never an event.
 */
export async function* itemStream(stream: ItemStream, waiter: Waiter): AsyncGenerator<Uint8Array | string> {
  const { hub, itemId, heartbeatMs } = stream;
  const stop = await hub.watchItem(itemId, waiter.stir);
  const reader = stream.liveText?.subscribe(itemId, waiter.stir);
  let position = stream.after;
  let isFresh = false;
  try {
    if (position > stream.version) {
      position = 0;
      yield encodeFrame({ event: 'reset', id: '0', data: {} });
    }
    while (!waiter.ended) {
      const page = await hub.page(itemId, position, isFresh);
      isFresh = false;
      position = page.last;
      if (page.bytes.length > 0) yield page.bytes;
      if (page.isFull) continue;
      const pieces = reader?.take() ?? [];
      if (pieces.length > 0) yield pieces.map(liveFrame).join('');
      else if ((await waiter.next(heartbeatMs)) === 'quiet') {
        isFresh = true;
        yield SIGN_OF_LIFE;
      }
    }
  } finally {
    reader?.close();
    stop();
  }
}

const liveFrame = (piece: LivePiece): string =>
  piece.kind === 'end'
    ? encodeFrame({ event: 'live-end', data: { ...piece.source } })
    : encodeFrame({ event: 'live', data: { ...piece.source, offset: piece.offset, text: piece.text } });
