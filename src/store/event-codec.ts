import { EVENT_VERSION, type EventBody, type StoredEvent } from '../core/index.ts';
import type { EventRow } from './rows.ts';
import { upcast } from './upcast.ts';

/** An event as it is appended; the type has a column of its own, so it is not repeated in the data. */
export function encodeEvent(event: StoredEvent): EventRow {
  const { type, ...data } = event.body;
  return { seq: event.seq, at: event.at, type, version: EVENT_VERSION, data: JSON.stringify(data) };
}

export type Decoded =
  | { readonly type: 'decoded'; readonly event: StoredEvent }
  | { readonly type: 'unreadable'; readonly reason: string };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a stored event; damage and newer formats are answers, so that one item cannot stop the others. */
export function decodeEvent(row: EventRow): Decoded {
  const data = parse(row.data);
  if (data === undefined) return { type: 'unreadable', reason: `event ${row.seq} (${row.type}) is not JSON` };
  const read = upcast(row.type, row.version, data);
  if (read.type === 'unreadable') return { type: 'unreadable', reason: `event ${row.seq}: ${read.reason}` };
  return { type: 'decoded', event: { seq: row.seq, at: row.at, body: read.body } };
}

/** Numbers fresh events behind `version`. */
export const numberEvents = (bodies: readonly EventBody[], version: number, at: number): readonly StoredEvent[] =>
  bodies.map((body, index) => ({ seq: version + index + 1, at, body }));
