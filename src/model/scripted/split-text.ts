const MOST_PIECES = 64;
const LEAST_LENGTH = 12;

/** A text as a model streams it: in pieces of a dozen characters, more of a long one; never within a character. */
export function splitText(text: string): readonly string[] {
  const length = Math.max(LEAST_LENGTH, Math.ceil(text.length / MOST_PIECES));
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'gu')) ?? [];
}
