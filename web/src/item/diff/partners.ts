/** Which removed line was probably changed into which added one. */

/** Larger blocks are compared place by place: nobody reads them word by word. */
const MOST_LINES = 40;
/** Less alike than this is another line. */
const LEAST_ALIKE = 0.35;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The share of words that two lines have in common, from 0 to 1. */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b) {
    const n = left.get(word) ?? 0;
    if (n > 0) shared += 1;
    left.set(word, n - 1);
  }
  return (2 * shared) / (a.length + b.length);
}

export type Partners = readonly (readonly [removed: number, added: number])[];

const inOrder = (removed: number, added: number): Partners =>
  Array.from({ length: Math.min(removed, added) }, (_, at) => [at, at] as const);

/** The pairs that are most alike in sum, none crossing another; indices into both blocks. */
export function partnersOf(removed: readonly string[], added: readonly string[]): Partners {
  if (removed.length > MOST_LINES || added.length > MOST_LINES) return inOrder(removed.length, added.length);
  const [a, b] = [removed.map(wordsOf), added.map(wordsOf)];
  // best[i][j]: what can be had of the lines from i and j on.
  const best = a.map(() => new Array<number>(b.length + 1).fill(0));
  best.push(new Array<number>(b.length + 1).fill(0));
  const alike = a.map((words) => b.map((others) => likeness(words, others)));
  const value = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const gain = (i: number, j: number): number => {
    const found = alike[i]?.[j] ?? 0;
    return found < LEAST_ALIKE ? -1 : found + value(i + 1, j + 1);
  };
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = best[i];
    for (let j = b.length - 1; row && j >= 0; j -= 1) row[j] = Math.max(value(i + 1, j), value(i, j + 1), gain(i, j));
  }
  return walk(a.length, b.length, value, gain);
}

/** Reads the pairs out of what was found best. */
function walk(
  removed: number,
  added: number,
  value: (i: number, j: number) => number,
  gain: (i: number, j: number) => number,
): Partners {
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < removed && j < added) {
    if (gain(i, j) >= value(i, j)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (value(i + 1, j) >= value(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
