import { clean, shorten } from './text.ts';

/** What an agent's log says of a call: made, asked about, done, refused. All else are somebody's words, and stay whole. */
const OF_A_CALL = /^(?:» |\? asks for leave: | {2}[✓✗] )/;
const MOST_LINES = 2;
/** The loop keeps 200 characters of a call and marks nothing; cut below that, whatever is left out has its mark. */
const MOST_COLUMNS = 199;

/** Takes a growing log in pieces, and gives back the lines that are complete. */
export interface Transcript {
  readonly push: (text: string) => string;
  /** What stands behind the last line break. */
  readonly end: () => string;
}

/** The log of an agent as a terminal of so many columns shows it: a long call takes two lines, cut with `…`. */
export function openTranscript(columns: number): Transcript {
  let rest = '';
  // One column less: some terminals begin a new line when the last column is filled.
  const room = Math.min(MOST_LINES * columns - 1, MOST_COLUMNS);
  const shown = (line: string): string => (OF_A_CALL.test(line) ? shorten(clean(line), room) : line);
  return {
    push(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      return lines.map((line) => `${shown(line)}\n`).join('');
    },
    end() {
      const last = shown(rest);
      rest = '';
      return last;
    },
  };
}
