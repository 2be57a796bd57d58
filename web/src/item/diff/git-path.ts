const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git writes unusual paths as C strings, byte by byte: `"a/\303\244.txt"`. */
export function unquoted(word: string): string {
  if (!word.startsWith('"')) return word.replace(/\t$/, '');
  const bytes: number[] = [];
  const inside = word.slice(1, word.lastIndexOf('"'));
  for (const [part, octal, letter] of inside.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** Without the `a/` or `b/` that git puts before a path. */
export const withoutSide = (path: string): string => path.replace(/^[ab]\//, '');

/** The path of `diff --git a/P b/P`: both halves are the same, so spaces in it do no harm. */
export function pathOfHead(line: string): string {
  const both = line.slice('diff --git '.length);
  if (both.startsWith('"')) return withoutSide(unquoted(both.slice(0, (both.length - 1) / 2)));
  return withoutSide(both.slice(0, (both.length - 1) / 2));
}
