import { type ActionState, goalOf, type ItemState, isVerify, statusOf } from '../../core/index.ts';
import type { RunRow } from '../../store/rows.ts';
import { isoOrNull } from '../render/when.ts';
import { type RefusedClaim, refusedClaims, spanOf } from '../report.ts';
import type { Carried } from './carry-demo.ts';
import type { DemoModel } from './demo-model.ts';

const MICROS = 1_000_000;

/** Each turn that decided, with who caused it. */
function turnsOf({ events }: Carried): readonly unknown[] {
  const origins = new Map<string, string>();
  const turns: unknown[] = [];
  for (const { body, at } of events) {
    if (body.type === 'TurnOpened') origins.set(body.turn.id, body.turn.origin);
    if (body.type !== 'TurnDecided') continue;
    const { turnId, kinds, reason, reply } = body;
    const origin = origins.get(turnId) ?? null;
    turns.push({ n: turns.length + 1, origin, decisions: kinds, reason, reply, at: isoOrNull(at) });
  }
  return turns;
}

const vpOf = ({ spec: { executor } }: ActionState): string | null => (executor.kind === 'agent' ? executor.vp : null);

function actionJson(action: ActionState, { runs }: Carried, refusals: readonly RefusedClaim[]): unknown {
  const { start, end } = spanOf(action, runs);
  return {
    id: action.id,
    type: action.spec.type,
    vp: vpOf(action),
    status: action.status,
    for: action.spec.for,
    attempts: action.attempts,
    startedAt: isoOrNull(start),
    endedAt: isoOrNull(end),
    refusals,
    changedPaths: action.result?.changedPaths ?? [],
  };
}

/** The longest time for which two Actions of different ids had a Run at once, in milliseconds. */
function overlapMs(runs: readonly RunRow[]): number {
  const spans = runs.flatMap(({ actionId, startedAt, endedAt }) =>
    endedAt === null ? [] : [{ actionId, from: startedAt, to: endedAt }],
  );
  const shared = spans.flatMap((a) =>
    spans.filter((b) => b.actionId !== a.actionId).map((b) => Math.min(a.to, b.to) - Math.max(a.from, b.from)),
  );
  return Math.max(0, ...shared);
}

function reviewOf({ actions }: ItemState): { readonly by: string | null; readonly verdict: string } | null {
  const reviewed = actions
    .filter(({ status, result }) => status === 'completed' && result?.outcome.review !== undefined)
    .at(-1);
  const verdict = reviewed?.result?.outcome.review;
  return reviewed && verdict !== undefined ? { by: vpOf(reviewed), verdict } : null;
}

const usageJson = ({ usage: { requests, tokens, costMicros, unpriced } }: ItemState): unknown => ({
  requests,
  tokens,
  costUsd: costMicros / MICROS,
  /** Requests whose money is not in the sum. */
  unpriced,
});

/** The one object that `demo --json` prints: what was decided, done, refused and proven, and at what cost. */
export function goalReport(carried: Carried, model: DemoModel): Readonly<Record<string, unknown>> {
  const { state, runs } = carried;
  const work = state.actions.filter((action) => !isVerify(action));
  const refused = new Map(work.map((action) => [action.id, refusedClaims(action, state, runs)]));
  const git = state.base.kind === 'git' ? state.base : undefined;
  return {
    item: state.id,
    title: state.contract.title,
    status: statusOf(state),
    criteria: goalOf(state).criteria.map(({ criterion: { id, text }, standing, proof, flags }) => ({
      id,
      text,
      standing,
      proof: proof ?? null,
      flags,
    })),
    turns: turnsOf(carried),
    actions: work.map((action) => actionJson(action, carried, refused.get(action.id) ?? [])),
    overlapMs: overlapMs(runs.filter(({ actionId }) => refused.has(actionId))),
    refusedClaims: [...refused].flatMap(([action, claims]) => claims.map((claim) => ({ action, ...claim }))),
    review: reviewOf(state),
    summary: state.completion?.summary ?? null,
    residualRisks: state.completion?.residualRisks ?? [],
    model: model.kind === 'scripted' ? 'scripted' : model.ref,
    usage: usageJson(state),
    repository: git?.topLevel ?? null,
    branch: state.published?.ref ?? null,
    commit: state.finalResult?.commit ?? (git ? state.branch.head : null),
  };
}
