export interface PendingHeredoc {
  /** The line that ends it. */
  readonly end: string;
  /** Its end was quoted, so that nothing in its body is expanded. */
  readonly literal: boolean;
  /** `<<-`: tabs before lines do not count. */
  readonly stripsTabs: boolean;
}

/** Where the text goes on behind a heredoc whose body begins at `from`; null if it does not end, or may run commands. */
export function heredocEnd(text: string, from: number, heredoc: PendingHeredoc): number | null {
  let at = from;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const stop = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(at, stop);
    // The line break stays: it ends the command that the heredoc belongs to, once more.
    if ((heredoc.stripsTabs ? line.replace(/^\t+/, '') : line) === heredoc.end) return stop;
    if (!heredoc.literal && (/\$[({]|`/.test(line) || line.endsWith('\\'))) return null;
    at = stop + 1;
  }
  return null;
}
