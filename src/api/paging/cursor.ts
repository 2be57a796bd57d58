import { createHash } from 'node:crypto';
import type { Refusal } from '../problem.ts';

/** What a list was asked for besides its length: its route and every filter. A cursor belongs to one of them. */
export type Query = readonly (string | number | undefined)[];

const MARK_CHARS = 8;

const markOf = (query: Query): string =>
  createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, MARK_CHARS);

/** Where a page of a query ended; opaque to callers. */
export const encodeCursor = (query: Query, position: string | number): string =>
  Buffer.from(`${markOf(query)}${position}`).toString('base64url');

/** The position; undefined for a cursor of another query, and for what is none. */
export function decodeCursor(query: Query, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return text.startsWith(markOf(query)) ? text.slice(MARK_CHARS) : undefined;
}

export const INVALID_CURSOR: Refusal = Object.freeze({
  code: 'invalid_cursor',
  message: 'The cursor is not of this list.',
  expected: 'nextCursor of a page that was asked for with the same filters',
  next: 'Ask for the first page again: leave cursor out.',
});
