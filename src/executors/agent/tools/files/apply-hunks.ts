import { applyPatch, type StructuredPatch } from 'diff';

/** Comparisons of lines; a hunk that fits nearly everywhere in a huge file would hold up the process. */
const MAX_COMPARISONS = 5_000_000;

export type Applied =
  | { readonly ok: true; readonly text: string }
  /** Why it does not fit, for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Applies every hunk of a patch to a text, or none: each line it takes away or leaves must be in the text. A hunk may
 * have moved. Line ends do not have to agree; those of the text stay.
 */
export function applyHunks(text: string, patch: StructuredPatch): Applied {
  const budget = { left: MAX_COMPARISONS };
  const result = attempt(text, patch, budget);
  if (result === 'too_much')
    return { ok: false, reason: 'the hunks fit in too many places to try; give more of their surroundings' };
  return result === false ? { ok: false, reason: misfit(text, patch, budget) } : { ok: true, text: result };
}

/** Thrown through the library, which has no other way to be stopped. */
const TOO_MUCH = new Error('too many comparisons');

function attempt(text: string, patch: StructuredPatch, budget: { left: number }): string | false | 'too_much' {
  const compareLine = (_number: number, line: string | undefined, _operation: string, expected: string): boolean => {
    budget.left -= 1;
    if (budget.left < 0) throw TOO_MUCH;
    return line !== undefined && bare(line) === bare(expected);
  };
  try {
    return applyPatch(text, patch, { compareLine });
  } catch (error) {
    if (error === TOO_MUCH) return 'too_much';
    throw error;
  }
}

const bare = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Which hunk is the first that does not fit, and where it was expected. */
function misfit(text: string, patch: StructuredPatch, budget: { left: number }): string {
  const last = patch.hunks.findIndex((_, index) => {
    const some = { ...patch, hunks: patch.hunks.slice(0, index + 1) };
    return typeof attempt(text, some, budget) !== 'string' || index === patch.hunks.length - 1;
  });
  const hunk = patch.hunks[last];
  if (hunk === undefined) return 'it does not fit';
  const expected = hunk.lines.find((line) => line.startsWith('-') || line.startsWith(' '))?.slice(1) ?? '';
  const there = text.split('\n')[hunk.oldStart - 1];
  const found = there === undefined ? 'the file ends before that' : `line ${hunk.oldStart} is ${excerpt(there)}`;
  return `hunk ${last + 1} (@@ -${hunk.oldStart},${hunk.oldLines}) does not fit: it begins with ${excerpt(expected)}, ${found}`;
}

const excerpt = (line: string) => JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
