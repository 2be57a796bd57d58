import type { CriterionGoal, Goal } from '../../core/derive/goal.ts';
import type { Paint } from './paint.ts';

/** The proof that a criterion shows, or why it has none. */
export type ProofMark = 'machine' | 'independent' | 'self' | 'failed' | 'missing' | 'stale';

const GLYPH: Readonly<Record<ProofMark, string>> = Object.freeze({
  machine: '■',
  independent: '▣',
  self: '▢',
  failed: '✕',
  missing: '·',
  stale: '~',
});

/** A pass below the asked strength is still missing what was asked. */
export function markOf(goal: CriterionGoal): ProofMark {
  switch (goal.standing) {
    case 'passed':
      return goal.proof ?? 'self';
    case 'failed':
      return 'failed';
    case 'stale':
      return 'stale';
    case 'weak':
    case 'unmet':
      return 'missing';
  }
}

/** The word beside the glyph: shape and word, never colour alone. */
export function proofWord(goal: CriterionGoal): string {
  if (goal.standing === 'passed') return goal.proof ?? 'self';
  if (goal.standing === 'weak') return `only ${goal.proof ?? 'self'}, needs ${goal.criterion.minProof}`;
  if (goal.standing === 'unmet') return 'missing';
  return goal.standing;
}

export function glyph(mark: ProofMark, paint: Paint): string {
  switch (mark) {
    case 'machine':
    case 'independent':
    case 'self':
      return paint.green(GLYPH[mark]);
    case 'failed':
      return paint.red(GLYPH[mark]);
    case 'stale':
      return paint.amber(GLYPH[mark]);
    case 'missing':
      return paint.dim(GLYPH[mark]);
  }
}

/** One segment per criterion, in the order of the contract. */
export const proofBar = (goal: Goal, paint: Paint): string =>
  goal.criteria.map((criterion) => glyph(markOf(criterion), paint)).join('');

/** The bar of a list row, which knows only how many are proven. */
export const countBar = (proven: number, total: number, paint: Paint): string =>
  paint.green(GLYPH.machine.repeat(proven)) + paint.dim(GLYPH.missing.repeat(Math.max(0, total - proven)));

export const PROOF_LEGEND = '■ machine  ▣ independent  ▢ self  ✕ failed  ~ stale  · missing';
