import type { DiffFile, DiffLine } from './diff-data.ts';

const MOST_CHARS = 240;
const MOST_QUOTED_CHARS = 1_000;

/** Where a line is, in words that a quote can say: `src/a.ts:12`. What is gone has its number of before. */
export function placeOf({ path }: Pick<DiffFile, 'path'>, { now, old }: Pick<DiffLine, 'now' | 'old'>): string {
  const shown = path.length > MOST_CHARS ? `…${path.slice(-MOST_CHARS)}` : path;
  return now === null ? `${shown}:${old ?? 0} (removed)` : `${shown}:${now}`;
}

/** A line of code as a message quotes it: where it is, and what it says with its sign. */
export interface LineQuote {
  readonly from: string;
  readonly text: string;
}

export const quoteOf = (file: Pick<DiffFile, 'path'>, line: DiffLine): LineQuote => ({
  from: placeOf(file, line),
  text: `${line.sign}${line.text}`.slice(0, MOST_QUOTED_CHARS),
});

/**
 * A line that can be talked about, wherever it is shown: the same place with other words, in a newer diff or in that of
 * another Action, is another line.
 */
export const keyOfQuote = ({ from, text }: LineQuote): string => `${from}\n${text}`;

export function quoteOfKey(key: string): LineQuote {
  const cut = key.indexOf('\n');
  return { from: key.slice(0, cut), text: key.slice(cut + 1) };
}

export const keyOfLine = (file: Pick<DiffFile, 'path'>, line: DiffLine): string => keyOfQuote(quoteOf(file, line));
