import { bytesOf, cutBytes } from '../../context/cut.ts';
import { failureText, hidePaths } from '../../context/failure-text.ts';
import type { Redaction } from '../../context/mainline-input.ts';
import { visible } from '../../context/untrusted.ts';
import { redact } from '../../text/redact.ts';

/** What `cutBytes` puts behind a text that it cut. */
export const CUT_MARKER = / \[cut: \d+ bytes in all\]$/;

/** The same text cut shorter, whose marker goes on telling how long it was at first. */
export const recut = (text: string, maxBytes: number, marker: string): string =>
  cutBytes(text.padEnd(maxBytes + 1), maxBytes).replace(CUT_MARKER, marker);

/** What a person wrote: bounded, with nothing hidden in it, otherwise as it is. */
export function own(text: string, maxBytes: number): string {
  if (text.length <= maxBytes) return cutBytes(visible(text), maxBytes);
  // No character is shorter than a byte: what lies behind need not be looked at.
  return recut(visible(text.slice(0, maxBytes)), maxBytes, ` [cut: ${bytesOf(text)} bytes in all]`);
}

/** What machines, models or files wrote. `read` first, so that no secret is cut in two where it shows. */
export function foreign(text: string, maxBytes: number, { secrets, roots }: Redaction): string {
  const read = redact(text.slice(0, maxBytes * 2), secrets);
  return cutBytes(visible(hidePaths(read, roots)), maxBytes);
}

/** Of a failure: secrets and the paths of this machine are left out (D38, V35). */
export const failure = (text: string, maxBytes: number, redaction: Redaction): string =>
  cutBytes(failureText(text.slice(0, maxBytes * 2), redaction), maxBytes);

/** Nothing at all for an empty text, so that the picture holds no empty fields. */
export const optional = <K extends string>(key: K, value: string | undefined): Readonly<Partial<Record<K, string>>> => {
  const fields: Partial<Record<K, string>> = {};
  if (value !== undefined && value.trim() !== '') fields[key] = value;
  return fields;
};

/** The newest entries that fit in number and bytes together; the others are counted. */
export function newestWithin<T>(
  list: readonly T[],
  most: { readonly entries: number; readonly bytes: number },
  textOf: (entry: T) => string,
): { readonly kept: readonly T[]; readonly left: number } {
  let room = most.bytes;
  const newestFirst = list.slice(-most.entries).toReversed();
  const over = newestFirst.findIndex((entry) => {
    room -= bytesOf(textOf(entry));
    return room < 0;
  });
  const kept = over === -1 ? newestFirst : newestFirst.slice(0, over);
  return { kept: kept.toReversed(), left: list.length - kept.length };
}
