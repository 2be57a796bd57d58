import { diffWordsWithSpace } from 'diff';
import type { DiffFile, DiffLine } from './diff-data.ts';

export interface Segment {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Longer lines are not looked into: they are made by machines, and nobody reads them. */
const MOST_CHARS = 500;
/** Lines with less in common than this are other lines, not changed ones. */
const LEAST_SHARED = 0.3;

/** Which words of a changed line are others than those of its partner; undefined where that tells nothing. */
export function wordsWithin(file: DiffFile, line: DiffLine): readonly Segment[] | undefined {
  const partner = file.lines[line.partner];
  if (!partner || line.text.length > MOST_CHARS || partner.text.length > MOST_CHARS) return undefined;
  const [before, after] = line.sign === '-' ? [line.text, partner.text] : [partner.text, line.text];
  const mine = line.sign === '-' ? 'removed' : 'added';
  const parts = diffWordsWithSpace(before, after);
  const segments = parts.flatMap((part) => {
    if (!part.added && !part.removed) return [{ text: part.value, isChanged: false }];
    return part[mine] ? [{ text: part.value, isChanged: true }] : [];
  });
  // Both lines come to the same answer, so that what replaces each other looks alike.
  const shared = parts.reduce((n, part) => n + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  const longer = Math.max(before.trim().length, after.trim().length);
  return shared >= longer * LEAST_SHARED ? segments : undefined;
}
