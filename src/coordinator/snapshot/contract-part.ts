import type { CriterionGoal, Delivery, ItemState } from '../../core/index.ts';
import { ACTION_LIMITS, goalOf, isEmptyDelivery, isUnfinished, isVerify } from '../../core/index.ts';
import type { SnapshotInput } from './input.ts';
import { SNAPSHOT_LIMITS as LIMITS } from './limits.ts';
import type { ContractPart, CriterionPart, ProgressPart } from './picture.ts';
import { failure, foreign, optional, own } from './words.ts';

/** What a delivery needs besides proof (D25). */
const NEEDS: Readonly<Record<Delivery['target'], string>> = Object.freeze({
  response: 'the whole answer in the summary of a completed Action',
  workspace_files: 'at least one changed file',
  pull_request: 'at least one change; the engine pushes the proven commit and opens the pull request',
  merge: 'at least one change; the engine lands the proven commit on the branch',
});

export function contractPart({ contract, base }: ItemState): ContractPart {
  const { goal, instructions, delivery, workspace, setup } = contract;
  const branch = optional('branch', delivery.branch && own(delivery.branch, LIMITS.lineBytes));
  return {
    goal: own(goal, LIMITS.goalBytes),
    ...optional('instructions', instructions && own(instructions, LIMITS.instructionsBytes)),
    delivery: { target: delivery.target, ...branch, needs: NEEDS[delivery.target] },
    workspace: `${base.kind === 'git' ? 'git repository' : 'plain directory'}, ${workspace}`,
    ...(setup ? { setup: { run: own(setup.run, LIMITS.lineBytes) } } : {}),
  };
}

export const criterionParts = (input: SnapshotInput): readonly CriterionPart[] =>
  goalOf(input.state).criteria.map((goal) => criterionPart(goal, input));

function criterionPart(goal: CriterionGoal, input: SnapshotInput): CriterionPart {
  const { criterion, standing, proof, flags, claim, staledBy } = goal;
  const { id, version, text, check, minProof } = criterion;
  return {
    id,
    version,
    text: own(text, LIMITS.criterionBytes),
    ...optional('check', check && own(check.run, LIMITS.checkBytes)),
    minProof,
    standing,
    ...optional('proof', proof),
    ...(flags.length > 0 ? { flags } : {}),
    ...optional('shownBy', claim?.actionId),
    ...optional('staledBy', staledBy?.actionId),
    ...reported(goal, input),
  };
}

/** The words behind a pass, or the end of the log behind a refusal. */
function reported({ claim, standing }: CriterionGoal, { redaction }: SnapshotInput): Pick<CriterionPart, 'reported'> {
  if (!claim) return {};
  const evidence = foreign(claim.evidence, LIMITS.evidenceBytes, redaction);
  const tail = standing === 'failed' ? claim.receipt?.log.tail : undefined;
  return { reported: { evidence, ...optional('log', tail && failure(tail, LIMITS.tailBytes, redaction)) } };
}

/** Counts and names only: the rows themselves say why. */
export function progressPart(state: ItemState): ProgressPart {
  const { criteria, proven, total } = goalOf(state);
  const work = state.actions.filter((action) => !isVerify(action));
  return {
    proven,
    total,
    missing: criteria.flatMap(({ criterion, standing }) => (standing === 'passed' ? [] : [criterion.id])),
    unfinished: work.flatMap(({ id, status }) => (isUnfinished(status) ? [id] : [])),
    somethingToDeliver: !isEmptyDelivery(state),
    actionsLeft: ACTION_LIMITS.perItem - work.length,
  };
}
