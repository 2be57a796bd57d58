import type { CallCorrection, CallRow, EntryRow, TalkChange } from './talk-rows.ts';

type Value = string | number | null;

/** An entry as its columns hold it. */
export type StoredEntry = Omit<EntryRow, 'quote' | 'attachments'> & {
  readonly quote: string | null;
  readonly attachments: string;
};

export const entryRow = ({ quote, attachments, ...row }: StoredEntry): EntryRow => ({
  ...row,
  quote: quote === null ? null : (JSON.parse(quote) as EntryRow['quote']),
  attachments: JSON.parse(attachments) as EntryRow['attachments'],
});

const entryValues = (row: EntryRow): readonly Value[] => [
  row.itemId,
  row.seq,
  row.entryId,
  row.at,
  row.author,
  row.targetKind,
  row.targetId,
  row.text,
  row.quote === null ? null : JSON.stringify(row.quote),
  JSON.stringify(row.attachments),
  row.delivery,
  row.detail,
];

const charged = (row: CallCorrection): readonly Value[] => [
  row.chargedTokens,
  row.chargedCostMicros,
  row.input,
  row.output,
  row.cacheRead,
  row.cacheWrite,
  row.reasoning,
];

const callValues = (row: CallRow): readonly Value[] => [
  row.itemId,
  row.callId,
  row.seq,
  row.ownerKind,
  row.ownerId,
  row.actionId,
  row.n,
  row.model,
  row.status,
  row.requestHash,
  row.responseHash,
  row.tries,
  row.estimateTokens,
  row.estimateCostMicros,
  ...charged(row),
  row.stop,
  row.code,
  row.error,
  row.preparedAt,
  row.dispatchedAt,
  row.endedAt,
];

/** Values of the statement of a change, in both databases: what is set, then what is asked for. */
export function talkValues(change: TalkChange): readonly Value[] {
  const { itemId } = change.row;
  switch (change.kind) {
    case 'entry_add':
      return entryValues(change.row);
    case 'entry_move':
      return [change.row.delivery, change.row.detail, itemId, change.row.entryId];
    case 'call_start':
      return callValues(change.row);
    case 'call_dispatch':
      return [change.row.dispatchedAt, itemId, change.row.callId];
    case 'call_end': {
      const { status, endedAt, responseHash, stop, code, error, callId } = change.row;
      return [status, endedAt, responseHash, stop, code, error, ...charged(change.row), itemId, callId];
    }
    case 'call_drop': {
      const { status, endedAt, chargedTokens, chargedCostMicros, callId } = change.row;
      return [status, endedAt, chargedTokens, chargedCostMicros, itemId, callId];
    }
    case 'call_correct':
      return [...charged(change.row), itemId, change.row.callId];
  }
}
