import { goalOf, type ItemState, laneOf, sentenceOf, statusOf } from '../../core/index.ts';
import { canOf } from './can.ts';

const iso = (at: number): string => new Date(at).toISOString();

/** What of the use is charged at an estimate, since nobody knows how those requests ended (RES-3). */
function estimatedOf({ uncertain }: ItemState) {
  const sum = (of: (charge: ItemState['uncertain'][number]['charge']) => number): number =>
    uncertain.reduce((all, { charge }) => all + of(charge), 0);
  return {
    requests: uncertain.length,
    tokens: sum(({ tokens }) => tokens),
    costMicros: sum(({ costMicros }) => costMicros ?? 0),
  };
}

/** The head of an item: everything about it that has a bound; what grows is read page by page. */
export function headView(state: ItemState) {
  const { contract, usage, limits, hold, parked, finalResult } = state;
  return {
    id: state.id,
    version: state.version,
    contractVersion: state.contractVersion,
    controlVersion: state.controlVersion,
    title: contract.title,
    goal: contract.goal,
    status: statusOf(state),
    lane: laneOf(state),
    sentence: sentenceOf(state),
    plan: state.plan.kind,
    directory: contract.directory,
    delivery: contract.delivery,
    criteria: goalOf(state).criteria.map(({ criterion, standing, proof, flags, staledBy }) => ({
      id: criterion.id,
      text: criterion.text,
      check: criterion.check?.run ?? null,
      minProof: criterion.minProof,
      standing,
      proof: proof ?? null,
      flags: [...flags],
      staledBy: staledBy?.actionId ?? null,
    })),
    counts: { actions: state.actions.length, running: state.runs.length, requests: state.requests.length },
    usage: { ...usage },
    estimated: estimatedOf(state),
    limits: { ...limits },
    hold: hold ? { code: hold.code, at: iso(hold.at), details: hold.details } : null,
    parkedUntil: parked ? iso(parked.until) : null,
    result: finalResult
      ? {
          summary: finalResult.summary,
          commit: finalResult.commit ?? null,
          branch: finalResult.publishedBranch ?? null,
          pullRequest: finalResult.pullRequest ?? null,
          residualRisks: [...(finalResult.residualRisks ?? [])],
        }
      : null,
    origin: state.origin ? { ...state.origin } : null,
    attachments: state.attachments.map((attachment) => ({ ...attachment })),
    can: canOf(state),
    createdAt: iso(state.createdAt),
    updatedAt: iso(state.updatedAt),
  };
}
