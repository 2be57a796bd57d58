import { type ChangeObject, diffWordsWithSpace } from 'diff';

export type WordChange = Pick<ChangeObject<string>, 'value' | 'added' | 'removed'>;

/** Texts with less in common than this are other texts, not changed ones. */
const LEAST_SHARED = 0.5;

/** What was taken out and put in, by words where the texts are alike, else the one and then the other. */
export function wordChanges(before: string, after: string): readonly WordChange[] {
  const words = diffWordsWithSpace(before, after);
  const shared = words.reduce((n, { value, added, removed }) => n + (added || removed ? 0 : value.trim().length), 0);
  if (shared >= Math.max(before.trim().length, after.trim().length) * LEAST_SHARED) return words;
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ].filter(({ value }) => value !== '');
}
