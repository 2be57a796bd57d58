import { stripVTControlCharacters } from 'node:util';

/**
 * Text from a model, a process or a file as a terminal may show it: no escape sequences, no control characters but
 * the newline, no characters that reorder what is read.
 */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** The same on one line. */
export const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0xffe0 && code <= 0xffe6) ||
  (code >= 0x1f300 && code <= 0x1faff) ||
  (code >= 0x20000 && code <= 0x3fffd);

const charWidth = (char: string): number => {
  if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(char)) return 0;
  return isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
};

/** Columns that a text takes, colours not counted. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) width += charWidth(char);
  return width;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** Cut to `width` columns with an ellipsis. Colours are kept and closed. */
export function shorten(text: string, width: number): string {
  if (width <= 0) return '';
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 0;
  let coloured = false;
  for (const part of text.split(COLOUR)) {
    if (COLOUR.test(part)) {
      cut += part;
      coloured = true;
      continue;
    }
    for (const char of part) {
      const next = charWidth(char);
      if (used + next > width - 1) return `${cut.trimEnd()}…${coloured ? '\u001b[0m' : ''}`;
      cut += char;
      used += next;
    }
  }
  return cut;
}

/** Filled up with spaces to `width` columns. */
export const pad = (text: string, width: number, side: 'left' | 'right' = 'left'): string => {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + gap : gap + text;
};

/** Broken at spaces into lines of at most `width` columns; words that are longer are cut. */
export function wrapText(text: string, width: number): readonly string[] {
  const limit = Math.max(8, width);
  return clean(text)
    .split('\n')
    .flatMap((paragraph) => wrapLine(paragraph, limit));
}

function wrapLine(paragraph: string, limit: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= limit || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => shorten(each, limit));
}

/** Every line with `prefix` in front. */
export const indent = (lines: readonly string[], prefix = '  '): readonly string[] =>
  lines.map((line) => (line === '' ? '' : prefix + line));
