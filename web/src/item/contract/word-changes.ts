import { type ChangeObject, diffWordsWithSpace } from 'diff';

export type WordChange = Pick<ChangeObject<string>, 'value' | 'added' | 'removed'>;

/** Texts with less in common than this are other texts, not changed ones. */
const LEAST_SHARED = 0.5;

const kept = (value: string): WordChange => ({ value, added: false, removed: false });

/** How many lines at the beginning are the same, of two texts in lines. */
function sameLines(before: readonly string[], after: readonly string[]): number {
  const first = before.findIndex((line, index) => line !== after[index]);
  return first < 0 ? before.length : first;
}

/** What was taken out and put in, by words where the texts are alike, else the one and then the other. */
function within(before: string, after: string): readonly WordChange[] {
  const words = diffWordsWithSpace(before, after);
  const shared = words.reduce((n, { value, added, removed }) => n + (added || removed ? 0 : value.trim().length), 0);
  if (shared >= Math.max(before.trim().length, after.trim().length) * LEAST_SHARED) return words;
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
}

/** The same of whole parts: lines that stayed at their beginning and end are never shown as changed. */
export function wordChanges(before: string, after: string): readonly WordChange[] {
  // Each line with its end, so that together they are the text again.
  const [old, now] = [before.split(/(?<=\n)/), after.split(/(?<=\n)/)];
  const head = sameLines(old, now);
  const tail = sameLines(old.slice(head).toReversed(), now.slice(head).toReversed());
  const middle = (lines: readonly string[]): string => lines.slice(head, lines.length - tail).join('');
  return [
    kept(now.slice(0, head).join('')),
    ...within(middle(old), middle(now)),
    kept(now.slice(now.length - tail).join('')),
  ].filter(({ value }) => value !== '');
}
