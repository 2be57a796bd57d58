/** One thing wrong with the file of a VP. `found` is short and never holds the value of a variable. */
export interface VpProblem {
  readonly file: string;
  /** A key of the front matter (`traits[2]`), `persona` for the text below it, or '' for the file as a whole. */
  readonly field: string;
  /** Reads well after the word "expected". */
  readonly expected: string;
  readonly found: string;
  /** What a person can do about it. */
  readonly next: string;
}

export type VpComplaint = Omit<VpProblem, 'file' | 'next'> & { readonly next?: string };

export function vpProblem(file: string, { field, expected, found, next }: VpComplaint): VpProblem {
  const otherwise = field === '' ? 'Correct the file.' : `Correct ${field}.`;
  return { file, field, expected, found, next: next ?? otherwise };
}

/** One line for a terminal: `agents/x.md: role: expected one line, found a list. Correct role.` */
export function formatVpProblem({ file, field, expected, found, next }: VpProblem): string {
  const at = field === '' ? file : `${file}: ${field}`;
  return `${at}: expected ${expected}, found ${found}. ${next}`;
}

/** What stands there, in a few words. */
export function describeFound(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return String(value);
  const line = value.trim().replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
  if (line === '') return 'an empty text';
  return line.length > 60 ? `a text of ${value.length} characters` : line;
}
