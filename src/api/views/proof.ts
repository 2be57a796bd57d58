import type { CriterionGoal, ItemState } from '../../core/index.ts';
import { receiptView } from './run.ts';

function claimView({ status, by, actionId, generation, runId, at, evidence, receipt }: ItemState['claims'][number]) {
  return {
    ...{ status, by, actionId, generation, runId, at, evidence },
    receipt: receipt ? receiptView(receipt) : null,
  };
}

/** How a criterion stands, and the claim that decided, with its receipt where the engine ran a check. */
export function proofView({ criterion, standing, proof, flags, claim, staledBy }: CriterionGoal) {
  const { id, version, text, check, minProof } = criterion;
  return {
    ...{ id, version, text, minProof, standing },
    check: check?.run ?? null,
    proof: proof ?? null,
    flags: [...flags],
    staledBy: staledBy?.actionId ?? null,
    claim: claim ? claimView(claim) : null,
  };
}
