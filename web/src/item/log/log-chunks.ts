/** A piece of a log between two line breaks: its bytes and its lines. */
export interface LogChunk {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly lines: readonly string[];
}

/** Bytes that are read at a time. */
export const CHUNK_BYTES = 256 * 1024;
/** Of the whole that is kept in the page; what is farthest from where one reads goes. */
export const MOST_BYTES = 12 * 1024 * 1024;
/** A line that is longer is a picture or a bundle, not something to read. */
export const MOST_LINE_CHARS = 4_000;

const NEW_LINE = 0x0a;
// Colours and cursor movements of terminals.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the escape character
const ESCAPES = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[@-Z\\-_]|\r(?=\n|$)/g;

const shown = (line: string): string => {
  const plain = line.replace(ESCAPES, '');
  return plain.length > MOST_LINE_CHARS ? `${plain.slice(0, MOST_LINE_CHARS)}…` : plain;
};

const linesOf = (bytes: Uint8Array): readonly string[] => {
  const text = new TextDecoder().decode(bytes);
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return lines.map(shown);
};

/** Bytes from the beginning of a line on: all whole lines of them; the last piece of a log needs no line break. */
export function chunkAfter(bytes: Uint8Array, from: number, total: number): LogChunk {
  const isLast = from + bytes.length >= total;
  const end = isLast ? bytes.length : bytes.lastIndexOf(NEW_LINE) + 1;
  // A line that is longer than all of it is broken.
  const length = end === 0 ? bytes.length : end;
  return { from, to: from + length, lines: length === 0 ? [] : linesOf(bytes.subarray(0, length)) };
}

/** Bytes that end at the end of a line: all whole lines of them. */
export function chunkBefore(bytes: Uint8Array, from: number): LogChunk {
  const first = from === 0 ? 0 : bytes.indexOf(NEW_LINE) + 1;
  const start = first === bytes.length ? 0 : first;
  return { from: from + start, to: from + bytes.length, lines: linesOf(bytes.subarray(start)) };
}

const bytesOf = (chunks: readonly LogChunk[]): number => (chunks.at(-1)?.to ?? 0) - (chunks[0]?.from ?? 0);

/** With one more at an end; what is too much goes at the other. */
export function joined(chunks: readonly LogChunk[], next: LogChunk, at: 'start' | 'end'): readonly LogChunk[] {
  let all = at === 'start' ? [next, ...chunks] : [...chunks, next];
  while (all.length > 1 && bytesOf(all) > MOST_BYTES) all = at === 'start' ? all.slice(0, -1) : all.slice(1);
  return all;
}
