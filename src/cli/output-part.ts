/** A piece of a growing log. `next` is where to read on. */
export interface OutputPart {
  readonly text: string;
  readonly next: number;
}

/** Bytes up to the last character that is there as a whole; all of them where the end is no UTF-8 anyway. */
export function wholeCharacters(buffer: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(4, length); back += 1) {
    const byte = buffer[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needs && back < length ? length - back : length;
  }
  return length;
}
