/**
 * Whether `text` fits `pattern`, where `*` stands for any run of characters, line breaks too, and everything else for
 * itself. A pattern that ends in ` *` also fits without anything behind it: `npm test *` fits `npm test`.
 * Takes time proportional to the product of both lengths at worst.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern.endsWith(' *') && matchesAll(pattern.slice(0, -2), text)) return true;
  return matchesAll(pattern, text);
}

function matchesAll(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
