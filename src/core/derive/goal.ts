import { isWriter } from '../model/action.ts';
import type { Criterion, MinProof } from '../model/contract.ts';
import type { Claim, ItemState, ProvenCriterion, WriteMark } from '../model/item.ts';
import { actionById, dependants } from './graph.ts';

/**
 * Goal state: derived from durable claims in event order, never stored (D24, GOAL-1…8).
 *
 * | Standing | Meaning                                                              |
 * | -------- | -------------------------------------------------------------------- |
 * | passed   | a fresh claim passes it, strongly enough, after every contradiction  |
 * | failed   | the newest word on it is a refusal                                   |
 * | stale    | it was proven, and something was written since                       |
 * | weak     | a fresh pass exists, but below the minimum proof                     |
 * | unmet    | nobody has said anything that counts                                 |
 */
export type Standing = 'passed' | 'failed' | 'stale' | 'weak' | 'unmet';

export interface CriterionGoal {
  readonly criterion: Criterion;
  readonly standing: Standing;
  readonly proof?: ProvenCriterion['proof'];
  readonly flags: ProvenCriterion['flags'];
  /** The claim that decided: the pass, or the refusal. */
  readonly claim?: Claim;
  /** The write that made an earlier pass stale. */
  readonly staledBy?: WriteMark;
}

export type Goal = Readonly<{ criteria: readonly CriterionGoal[]; proven: number; total: number; allProven: boolean }>;

const STRENGTH: Readonly<Record<MinProof, number>> = { self: 0, independent: 1, machine: 2, 'machine-protected': 3 };

/** The newest claim of a list, by the event that carried it. */
const newest = (claims: readonly Claim[]): Claim | undefined =>
  claims.reduce<Claim | undefined>((best, claim) => (best && best.seq > claim.seq ? best : claim), undefined);

/** Strength that a receipt's flags leave: changed tests or scripts are not `machine-protected`. */
const machineStrength = (claim: Claim): MinProof =>
  claim.receipt?.flags.some((flag) => flag === 'tests_changed' || flag === 'script_changed')
    ? 'machine'
    : 'machine-protected';

/** Decides a criterion that carries a check: only the engine's own run counts (D23). */
function machineGoal(state: ItemState, criterion: Criterion, claims: readonly Claim[]): CriterionGoal {
  const claim = newest(claims.filter((candidate) => candidate.by === 'machine'));
  if (!claim) return { criterion, standing: 'unmet', flags: [] };
  const flags = claim.receipt?.flags ?? [];
  if (claim.status === 'failed') return { criterion, standing: 'failed', flags, claim };
  const later = state.writes.filter((write) => write.seq > claim.startedSeq);
  const staledBy = later.at(-1);
  if (staledBy) return { criterion, standing: 'stale', flags, claim, staledBy };
  const enough = STRENGTH[machineStrength(claim)] >= STRENGTH[criterion.minProof];
  return { criterion, standing: enough ? 'passed' : 'weak', proof: 'machine', flags, claim };
}

/**
 * The write that ages an executor's pass (GOAL-5): one that the claimer could not have seen. Its own writing does
 * not, and neither does work that the same plan lets run side by side in a clone of its own: which of the two
 * ends first is chance, so that pass stands and is flagged `concurrent_write`.
 */
function agedBy(state: ItemState, { actionId, startedSeq }: Claim): { staledBy?: WriteMark; concurrent: boolean } {
  const unseen = state.writes.filter((write) => write.actionId !== actionId && write.seq > startedSeq);
  if (unseen.length === 0) return { concurrent: false };
  const claimer = actionById(state, actionId);
  const above = dependants(state.actions, actionId);
  const maySideBySide = state.contract.workspace === 'isolated' && claimer !== undefined && isWriter(claimer.spec);
  const staledBy = unseen.find(
    (write) => !maySideBySide || above.has(write.actionId) || !actionById(state, write.actionId),
  );
  return staledBy ? { staledBy, concurrent: false } : { concurrent: unseen.length > 0 };
}

/** Somebody other than every writer said so (D24). */
function isIndependent(state: ItemState, claim: Claim): boolean {
  const action = actionById(state, claim.actionId);
  if (!action || isWriter(action.spec)) return false;
  return state.writes.every((write) => write.identity !== claim.identity);
}

/** A pass counts only of an Action's completed, present generation: closing and resetting are no proof (GOAL-1). */
const isCurrent = (state: ItemState, { actionId, generation }: Claim): boolean => {
  const action = actionById(state, actionId);
  return action?.status === 'completed' && action.generation === generation;
};

/** What one pass is worth now. */
function passGoal(state: ItemState, criterion: Criterion, claim: Claim): CriterionGoal {
  const { staledBy, concurrent } = agedBy(state, claim);
  if (staledBy) return { criterion, standing: 'stale', flags: [], claim, staledBy };
  const proof = isIndependent(state, claim) ? 'independent' : 'self';
  const standing = STRENGTH[proof] >= STRENGTH[criterion.minProof] ? 'passed' : 'weak';
  return { criterion, standing, proof, flags: concurrent ? ['concurrent_write'] : [], claim };
}

const RANK: Readonly<Record<Standing, number>> = { failed: 0, unmet: 0, stale: 0, weak: 1, passed: 2 };

const HIGHEST_RANK = 3;

const rank = ({ standing, proof }: CriterionGoal): number => (proof === 'independent' ? HIGHEST_RANK : RANK[standing]);

/** Decides a criterion without a check from what executors said; a contradiction beats an older pass (GOAL-6). */
function executorGoal(state: ItemState, criterion: Criterion, claims: readonly Claim[]): CriterionGoal {
  const refusal = newest(claims.filter(({ status }) => status === 'failed'));
  let best: CriterionGoal | undefined;
  // Newest first: an old item has many passes, goal state is asked for by every command, and one is mostly enough.
  for (const claim of claims.toReversed()) {
    if (claim.status !== 'passed' || (refusal && claim.startedSeq <= refusal.seq) || !isCurrent(state, claim)) continue;
    const goal = passGoal(state, criterion, claim);
    if (!best || rank(goal) > rank(best)) best = goal;
    if (rank(best) === HIGHEST_RANK) break;
  }
  if (best && best.standing !== 'stale') return best;
  if (refusal) return { criterion, standing: 'failed', flags: [], claim: refusal };
  return best ?? { criterion, standing: 'unmet', flags: [] };
}

function criterionGoal(state: ItemState, criterion: Criterion): CriterionGoal {
  const claims = state.claims.filter(
    (claim) => claim.criterionId === criterion.id && claim.criterionVersion === criterion.version,
  );
  return criterion.check ? machineGoal(state, criterion, claims) : executorGoal(state, criterion, claims);
}

export function goalOf(state: ItemState): Goal {
  const criteria = state.contract.criteria.map((criterion) => criterionGoal(state, criterion));
  const proven = criteria.filter((goal) => goal.standing === 'passed').length;
  return { criteria, proven, total: criteria.length, allProven: proven === criteria.length };
}
