import type { CriterionGoal, ItemState } from '../core/index.ts';

/** How one criterion stands, as a card shows it: proven and by what, else what is wrong, else who sees to it. */
export type ProofMark = 'machine' | 'independent' | 'self' | 'failed' | 'stale' | 'weak' | 'working' | 'missing';

const LETTERS: Readonly<Record<ProofMark, string>> = {
  machine: 'm',
  independent: 'i',
  self: 's',
  failed: 'x',
  stale: 't',
  weak: 'w',
  working: 'r',
  missing: '-',
};
const MARKS = new Map(Object.entries(LETTERS).map(([mark, letter]) => [letter, mark as ProofMark]));

/** Criteria that a live Run is for. */
function served({ actions, runs }: ItemState): ReadonlySet<string> {
  const live = new Set(runs.map(({ actionId }) => actionId));
  return new Set(actions.filter(({ id }) => live.has(id)).flatMap(({ spec }) => spec.for));
}

function markOf({ criterion, standing, proof }: CriterionGoal, working: ReadonlySet<string>): ProofMark {
  if (standing === 'passed') return proof ?? 'machine';
  if (working.has(criterion.id)) return 'working';
  return standing === 'unmet' ? 'missing' : standing;
}

/** The marks of all criteria, a letter each: a card needs no more, and a row no JSON. */
export function marksOf(state: ItemState, criteria: readonly CriterionGoal[]): string {
  const working = served(state);
  return criteria.map((goal) => LETTERS[markOf(goal, working)]).join('');
}

export const readMarks = (letters: string): readonly ProofMark[] =>
  [...letters].map((letter) => MARKS.get(letter) ?? 'missing');
