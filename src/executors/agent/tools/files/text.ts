/** NUL within this many bytes means that a file is not text. */
const SNIFFED_BYTES = 8_000;

/** True for what no one should see as text. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/** UTF-8 text with its byte order mark, or undefined for bytes that would not survive being written back. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-8 for reading only: a byte that is not UTF-8 becomes U+FFFD, a byte order mark goes. */
export function readableText(bytes: Uint8Array): { readonly text: string; readonly lossy: boolean } {
  const exact = exactText(bytes);
  if (exact !== undefined) return { text: exact.replace(/^\uFEFF/, ''), lossy: false };
  return { text: new TextDecoder('utf-8').decode(bytes), lossy: true };
}

/** Lines without their ends; the last line break does not start another line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** At most `maxChars` from `from`, never half of a character outside the basic plane. */
export function sliceChars(text: string, from: number, maxChars: number): string {
  const end = from + maxChars;
  const splits = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
  return text.slice(from, splits && maxChars > 1 ? end - 1 : end);
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** A name on one line: control characters are escaped, everything else is as it is. */
export function oneLine(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(name) ? JSON.stringify(name) : name;
}

/**
 * Joins as many lines as `maxBytes` of UTF-8 hold. `taken` says how many; always at least one, so that a caller who
 * goes on from there moves.
 */
export function fitLines(
  lines: readonly string[],
  maxBytes: number,
): { readonly text: string; readonly taken: number } {
  let size = 0;
  let taken = 0;
  for (const line of lines) {
    size += Buffer.byteLength(line) + 1;
    if (size > maxBytes && taken > 0) break;
    taken += 1;
  }
  return { text: lines.slice(0, taken).join('\n'), taken };
}
