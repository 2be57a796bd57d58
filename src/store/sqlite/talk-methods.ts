import { CALLS_LIMIT, ENTRIES_LIMIT } from '../read-limits.ts';
import type { Store } from '../store.ts';
import { entryRow } from '../talk-values.ts';
import type { Connection } from './connection.ts';

type TalkMethods = Pick<Store, 'entries' | 'calls' | 'call'>;

/** Reads of the conversation and of the journal of model requests. */
export const talkMethods = ({ statements: s, read }: Connection): TalkMethods => ({
  entries: (itemId, { after, before = Number.MAX_SAFE_INTEGER, limit = ENTRIES_LIMIT } = {}) =>
    read(() => {
      const rows =
        after === undefined
          ? s.entriesBefore.all(itemId, before, limit).reverse()
          : s.entriesBehind.all(itemId, after, before, limit);
      return rows.map(entryRow);
    }),
  calls: (itemId, { ownerId, before = Number.MAX_SAFE_INTEGER, limit = CALLS_LIMIT } = {}) =>
    read(() =>
      ownerId === undefined ? s.calls.all(itemId, before, limit) : s.callsOfOwner.all(itemId, ownerId, before, limit),
    ),
  call: (itemId, callId) => read(() => s.callRow.get(itemId, callId)),
});
