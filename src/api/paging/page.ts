import { decodeCursor, encodeCursor, type Query } from './cursor.ts';

/**
 * What the records of one answer may take together, in bytes of JSON. Records are never cut: a page ends before the
 * one that would not fit, and one that is larger comes alone (chapter 4 §10, wart 14).
 */
export const PAGE_BYTES = 256 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

export interface Cut<R, V> {
  readonly views: V[];
  /** The last row that is shown, when there are others behind it. */
  readonly last?: R;
}

/** As many rows, from the first one on, as fit into a page; give one row more than `limit` where there is one. */
export function cut<R, V>(rows: readonly R[], limit: number, view: (row: R) => V): Cut<R, V> {
  const views: V[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const next = view(row);
    bytes += bytesOf(next);
    if (views.length > 0 && bytes > PAGE_BYTES) break;
    views.push(next);
  }
  const last = rows[views.length - 1];
  return views.length < rows.length && last !== undefined ? { views, last } : { views };
}

/** A list that is read page by page, in an order in which every row has a position. */
export interface Pages<R, P, V> {
  readonly query: Query;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Rows behind a position, at most so many. */
  readonly read: (behind: P | undefined, limit: number) => Promise<readonly R[]> | readonly R[];
  readonly at: (row: R) => string | number;
  /** Undefined for what is no position. */
  readonly parse: (position: string) => P | undefined;
  readonly view: (row: R) => V;
}

export interface Page<V> {
  readonly views: V[];
  /** To be spread into the answer. */
  readonly more: { readonly nextCursor?: string };
}

/** One page; undefined when the cursor is not of this list. */
export async function pageOf<R, P, V>(pages: Pages<R, P, V>): Promise<Page<V> | undefined> {
  const { query, limit, cursor, read, at, parse, view } = pages;
  const position = cursor === undefined ? undefined : decodeCursor(query, cursor);
  const behind = position === undefined ? undefined : parse(position);
  if (cursor !== undefined && behind === undefined) return undefined;
  const { views, last } = cut(await read(behind, limit + 1), limit, view);
  return { views, more: last === undefined ? {} : { nextCursor: encodeCursor(query, at(last)) } };
}

/** A number in a stream: of an event, an Action, a request. */
export const asNumber = (position: string): number | undefined =>
  /^\d{1,9}$/.test(position) ? Number(position) : undefined;
export const asText = (position: string): string => position;
