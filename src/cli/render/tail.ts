import { clean, shorten } from './text.ts';

const TAIL_LINES = 6;

/** The last lines of a log, marked as somebody else's words. */
export function tailLines(tail: string, columns: number, most = TAIL_LINES): readonly string[] {
  const lines = clean(tail)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines.slice(-most).map((line) => `│ ${shorten(line, columns - 2)}`);
}
