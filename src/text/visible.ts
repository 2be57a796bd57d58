/**
 * Controls but tab and line feed, marks that turn the direction, tags, what has no width, invisible fillers, separators
 * of lines, halves of characters.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** They belong to emoji and to several scripts; after a Latin letter, or alone, they hide something. */
const JOINERS = new Set(['\u200c', '\u200d', '\ufe0f']);

/** Only what shows, and the space between it. */
export const seen = (text: string): string => text.replace(HIDDEN, '');

/**
 * What somebody is asked to allow, as it will be carried out: characters that are obeyed or not seen are named
 * (`[U+202E]`), for the eye must read what the machine reads. The second time changes nothing.
 */
export const visible = (text: string): string => text.replace(HIDDEN, named);

function named(mark: string, at: number, text: string): string {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  if (JOINERS.has(mark) && before > '\x7f' && seen(before) !== '') return mark;
  return `[U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
