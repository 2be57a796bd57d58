/** Text that every database can keep: no NUL, no half of a character. Events keep what was really said. */
export const storable = (text: string): string =>
  text.replaceAll('\0', '\u{fffd}').replaceAll(/\p{Surrogate}/gu, '\u{fffd}');

export const storableOrNull = (text: string | undefined): string | null => (text === undefined ? null : storable(text));
