/** Splits one record into its fields. Fields may be quoted; inside quotes, two quotes stand for one. */
export function readFields(line) {
  const fields = [];
  let field = '';
  let quoted = false;
  for (const char of line) {
    if (char === '"') {
      quoted = !quoted;
    } else if (char === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += char;
    }
  }
  if (quoted) throw new SyntaxError(`a quote is not closed: ${line}`);
  return [...fields, field];
}

/** Records as objects, named by the first line. Empty lines are skipped. */
export function readCsv(text) {
  const [head, ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (head === undefined) return [];
  const names = readFields(head).map((name) => name.trim());
  return lines.map((line) => {
    const fields = readFields(line);
    if (fields.length !== names.length) {
      throw new SyntaxError(`expected ${names.length} fields, found ${fields.length}: ${line}`);
    }
    return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
  });
}
