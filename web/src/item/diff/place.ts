import type { DiffFile, DiffLine } from './diff-data.ts';

const MOST_CHARS = 240;

/** Where a line is, in words that a quote can say: `src/a.ts:12`. What is gone has its number of before. */
export function placeOf({ path }: Pick<DiffFile, 'path'>, { now, old }: Pick<DiffLine, 'now' | 'old'>): string {
  const shown = path.length > MOST_CHARS ? `…${path.slice(-MOST_CHARS)}` : path;
  return now === null ? `${shown}:${old ?? 0} (removed)` : `${shown}:${now}`;
}
