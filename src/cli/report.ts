import { goalOf } from '../core/derive/goal.ts';
import { isVerify } from '../core/derive/graph.ts';
import { sentenceOf } from '../core/derive/sentence.ts';
import { statusOf } from '../core/derive/status.ts';
import type { ActionState, Enforcement } from '../core/model/action.ts';
import type { ItemState } from '../core/model/item.ts';
import type { Receipt } from '../core/model/outcome.ts';
import type { HumanRequest } from '../core/model/request.ts';
import type { RunRow } from '../store/rows.ts';
import { iso, isoOrNull } from './render/when.ts';

/** An executor said that a criterion passes, and the engine's own check refused it. */
export interface RefusedClaim {
  readonly criterionId: string;
  /** The Run that claimed. */
  readonly runId: string;
  readonly ordinal: number;
  readonly verdict: string;
  readonly exitCode: number | null;
  readonly tail: string;
}

const isRefusal = (receipt: Receipt): boolean => receipt.verdict !== 'passed';

/** Runs in the order in which they ended; running ones last. */
const byEnd = (runs: readonly RunRow[]): readonly RunRow[] =>
  [...runs].sort((a, b) => (a.endedSeq ?? Number.MAX_SAFE_INTEGER) - (b.endedSeq ?? Number.MAX_SAFE_INTEGER));

/**
 * Claims of an Action that a check of the engine refused: at once, by the receipts of the claiming Run itself, or later
 * by the next verification.
 */
export function refusedClaims(action: ActionState, state: ItemState, runs: readonly RunRow[]): readonly RefusedClaim[] {
  if (isVerify(action)) return [];
  const verifiers = new Set(state.actions.filter(isVerify).map((other) => other.id));
  const pending = new Map<string, RunRow>();
  const found: RefusedClaim[] = [];
  const refuse = (run: RunRow, receipt: Receipt): void => {
    const { criterionId, verdict, exitCode, log } = receipt;
    found.push({ criterionId, runId: run.runId, ordinal: run.ordinal, verdict, exitCode, tail: log.tail });
  };
  for (const run of byEnd(runs)) {
    if (run.actionId === action.id) {
      for (const receipt of run.receipts.filter(isRefusal)) refuse(run, receipt);
      if (run.status === 'completed') for (const id of action.spec.for) pending.set(id, run);
    } else if (verifiers.has(run.actionId)) {
      for (const receipt of run.receipts) {
        const claimed = pending.get(receipt.criterionId);
        pending.delete(receipt.criterionId);
        if (claimed && isRefusal(receipt)) refuse(claimed, receipt);
      }
    }
  }
  return found;
}

const runsOf = (action: ActionState, runs: readonly RunRow[]): readonly RunRow[] =>
  runs.filter((run) => run.actionId === action.id).sort((a, b) => a.startedSeq - b.startedSeq);

/** First Run's start and last Run's end; null where there is none. */
export function spanOf(action: ActionState, runs: readonly RunRow[]): { start: number | null; end: number | null } {
  const mine = runsOf(action, runs);
  return { start: mine[0]?.startedAt ?? null, end: mine.at(-1)?.endedAt ?? null };
}

/** A Run as programs read it. */
export const runJson = (run: RunRow) => ({
  id: run.runId,
  ordinal: run.ordinal,
  generation: run.generation,
  status: run.status,
  code: run.code,
  summary: run.summary,
  error: run.error,
  commit: run.commit,
  startedAt: iso(run.startedAt),
  endedAt: isoOrNull(run.endedAt),
  attemptCharged: run.attemptCharged,
  enforcement: run.enforcement,
  agent: run.agent,
  usage: run.usage,
});

/** Who carries it out; a command line may hold what is nobody's business. */
const executorJson = ({ spec: { executor } }: ActionState): unknown =>
  executor.kind === 'command' ? { kind: executor.kind, identity: executor.identity } : executor;

function actionJson(action: ActionState, state: ItemState, runs: readonly RunRow[]): unknown {
  const { start, end } = spanOf(action, runs);
  const { merge } = action;
  return {
    id: action.id,
    name: action.spec.name,
    type: action.spec.type,
    status: action.status,
    generation: action.generation,
    attempts: action.attempts,
    for: action.spec.for,
    executor: executorJson(action),
    rationale: action.spec.commission?.rationale ?? null,
    dependsOn: action.spec.dependsOn,
    startedAt: isoOrNull(start),
    endedAt: isoOrNull(end),
    failureCode: action.failureCode ?? null,
    closeReason: action.closeReason ?? null,
    conflict: merge.kind === 'conflict' ? { paths: merge.paths, ours: merge.ours, theirs: merge.theirs } : null,
    changedPaths: action.result?.changedPaths ?? [],
    refusedClaims: refusedClaims(action, state, runs),
    runs: runsOf(action, runs).map(runJson),
  };
}

function criteriaJson(state: ItemState): readonly unknown[] {
  return goalOf(state).criteria.map(({ criterion, standing, proof, flags, claim, staledBy }) => ({
    id: criterion.id,
    text: criterion.text,
    standing,
    proof: proof ?? null,
    minProof: criterion.minProof,
    check: criterion.check?.run ?? null,
    flags,
    provenAt: claim ? iso(claim.at) : null,
    runId: claim?.runId ?? null,
    staledBy: staledBy ? { actionId: staledBy.actionId, generation: staledBy.generation } : null,
    ...(claim?.receipt ? { receipt: claim.receipt } : {}),
  }));
}

/** What was enforced over all Runs: the weakest of them, so that nothing looks safer than it was. */
export function weakestEnforcement(runs: readonly RunRow[]): Enforcement | null {
  const known = runs.flatMap((run) => (run.enforcement ? [run.enforcement] : []));
  const rank = (each: Enforcement): number =>
    (each.sandbox === 'none' ? 0 : 4) + Number(each.filesystem) + Number(each.network) + Number(each.processes);
  return known.reduce<Enforcement | null>((low, each) => (low && rank(low) <= rank(each) ? low : each), null);
}

/** `money` in words where there is no number to give: nothing is worse than a 0 that is none (D26, D27). */
const costJson = ({ usage, uncertain, plan }: ItemState): unknown => {
  const { wallMs, requests, tokens, metered, costMicros, unpriced } = usage;
  const asksModels = plan.kind === 'coordinated' && metered;
  const inWords =
    requests === 0 && !asksModels ? 'unmetered' : requests > 0 && unpriced >= requests ? 'unpriced' : null;
  const money = inWords ?? costMicros / 1_000_000;
  return { wallMs, requests, tokens, metered, money, costMicros, unpriced, uncertain: uncertain.length };
};

/** An open request as programs read it. */
export const requestJson = (request: HumanRequest): unknown => ({ ...request, openedAt: iso(request.openedAt) });

/** One item as programs read it: the shape of `show --json` and of the last line of `run --json`. */
export function itemReport(state: ItemState, runs: readonly RunRow[]): Readonly<Record<string, unknown>> {
  const git = state.base.kind === 'git' ? state.base : undefined;
  return {
    id: state.id,
    title: state.contract.title,
    status: statusOf(state),
    sentence: sentenceOf(state),
    goal: state.contract.goal,
    criteria: criteriaJson(state),
    actions: state.actions.map((action) => actionJson(action, state, runs)),
    requests: state.requests.map(requestJson),
    hold: state.hold ? { ...state.hold, at: iso(state.hold.at) } : null,
    directory: state.contract.directory,
    workspace: state.contract.workspace,
    repository: git?.topLevel ?? null,
    branch: state.published?.ref ?? null,
    commit: state.finalResult?.commit ?? (git ? state.branch.head : null),
    delivery: state.contract.delivery,
    landing: state.landing,
    pullRequest: state.pull ?? null,
    plan: state.plan.kind,
    parked: state.parked ? { ...state.parked, until: iso(state.parked.until) } : null,
    operations: state.operations,
    attachments: state.attachments,
    residualRisks: state.finalResult?.residualRisks ?? state.completion?.residualRisks ?? [],
    result: state.finalResult ?? null,
    cost: costJson(state),
    limits: state.limits,
    enforcement: weakestEnforcement(runs),
    versions: { stream: state.version, contract: state.contractVersion, control: state.controlVersion },
    createdAt: iso(state.createdAt),
    updatedAt: iso(state.updatedAt),
    startedAt: isoOrNull(state.startedAt),
    endedAt: isoOrNull(state.endedAt),
  };
}
