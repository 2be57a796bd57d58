import type { Context } from '../command.ts';
import { actionById, isVerify } from '../derive/graph.ts';
import type { ActionState, LiveRun } from '../model/action.ts';
import type { Criterion } from '../model/contract.ts';
import type { Claim, ItemState } from '../model/item.ts';
import type { CriterionClaim, Receipt } from '../model/outcome.ts';
import { reject } from '../rejection.ts';
import { type Ending, endRun } from './end-run.ts';
import { type Answer, type BodyOf, fencedRun, type Handler, isRun } from './handler.ts';

type OutcomeSettlement = Extract<BodyOf<'Settle'>['settlement'], { kind: 'outcome' }>;

const criterionById = (state: ItemState, id: string): Criterion | undefined =>
  state.contract.criteria.find((criterion) => criterion.id === id);

/** Who speaks, since when, about which version: the part every claim of a Run shares. */
function claimBase(run: LiveRun, action: ActionState, ctx: Context) {
  const identity = action.spec.executor.kind === 'command' ? action.spec.executor.identity : 'engine';
  return {
    identity,
    actionId: action.id,
    generation: run.generation,
    runId: run.id,
    startedSeq: run.startedSeq,
    at: ctx.now,
  };
}

/** Receipts of the engine's own run become claims; a check that could not be run is a refusal too (D23). */
function machineClaims(
  state: ItemState,
  run: LiveRun,
  action: ActionState,
  receipts: readonly Receipt[],
  ctx: Context,
) {
  const known = receipts.filter((receipt) => criterionById(state, receipt.criterionId));
  return known.map(
    (receipt): Omit<Claim, 'seq'> => ({
      ...claimBase(run, action, ctx),
      criterionId: receipt.criterionId,
      criterionVersion: receipt.criterionVersion,
      status: receipt.verdict === 'passed' ? 'passed' : 'failed',
      by: 'machine',
      evidence: receipt.log.tail.slice(-500),
      receipt,
    }),
  );
}

/** What the executor said of the criteria it was for; anything else counts as deferred (D22). */
function executorClaims(
  state: ItemState,
  run: LiveRun,
  action: ActionState,
  claims: readonly CriterionClaim[],
  ctx: Context,
): readonly Omit<Claim, 'seq'>[] {
  return claims.flatMap((claim) => {
    const criterion = criterionById(state, claim.criterionId);
    if (!criterion || !action.spec.for.includes(claim.criterionId)) return [];
    if (claim.status !== 'passed' && claim.status !== 'failed') return [];
    return [
      {
        ...claimBase(run, action, ctx),
        criterionId: criterion.id,
        criterionVersion: criterion.version,
        status: claim.status,
        by: 'executor' as const,
        evidence: claim.evidence,
      },
    ];
  });
}

/** A verification that leaves a check out has not judged the result. */
const isSilentAbout = (state: ItemState, receipts: readonly Receipt[]): boolean =>
  state.contract.criteria.some(
    ({ id, version, check }) =>
      check && !receipts.some((known) => known.criterionId === id && known.criterionVersion === version),
  );

function completedEnding(
  state: ItemState,
  run: LiveRun,
  action: ActionState,
  settlement: OutcomeSettlement,
  ctx: Context,
): Ending {
  const { outcome, receipts } = settlement;
  if (outcome.kind !== 'completed') return { status: 'failed', code: 'invalid_outcome' };
  if (action.spec.type === 'review' && outcome.review === undefined) {
    return {
      status: 'retryable',
      code: 'no_review_decision',
      error: 'A review ends with approved or changes_requested.',
    };
  }
  const verify = isVerify(action);
  if (verify && isSilentAbout(state, receipts)) {
    return { status: 'retryable', code: 'no_receipt', error: 'A criterion with a check was not judged.' };
  }
  const claims = verify
    ? machineClaims(state, run, action, receipts, ctx)
    : executorClaims(state, run, action, outcome.claims, ctx);
  const ending = { status: 'completed', summary: outcome.summary, receipts } as const;
  // It did its work, and its word is no: a person decides what becomes of the reviewed Actions (D2, rule 13).
  if (outcome.review === 'changes_requested') {
    return { ...ending, code: 'changes_requested', actionStatus: 'failed', extra: { claims } };
  }
  return {
    ...ending,
    extra: {
      claims,
      result: {
        runId: run.id,
        startedSeq: run.startedSeq,
        settledSeq: state.version + 1,
        outcome,
        ...(settlement.commit === undefined ? {} : { commit: settlement.commit }),
        changedPaths: settlement.changedPaths,
      },
    },
  };
}

function outcomeEnding(
  state: ItemState,
  run: LiveRun,
  action: ActionState,
  settlement: OutcomeSettlement,
  ctx: Context,
): Ending {
  const { outcome, receipts } = settlement;
  switch (outcome.kind) {
    case 'completed':
      return completedEnding(state, run, action, settlement, ctx);
    case 'waiting':
      return { status: 'waiting', summary: outcome.question, receipts };
    case 'retryable':
    case 'failed':
      return {
        status: outcome.kind,
        code: outcome.code,
        error: outcome.error,
        summary: outcome.summary ?? '',
        receipts,
      };
  }
}

/** A person answers operations that ended unknown; so a Run with an external effect is `unknown`, not interrupted. */
const interruptedStatus = (action: ActionState, run: LiveRun): 'unknown' | 'interrupted' =>
  run.dispatched && action.spec.effects === 'external' ? 'unknown' : 'interrupted';

export const settle: Handler<'Settle'> = (state, body, ctx) => {
  const run = fencedRun(state, body.fence.runId, body.fence.epoch, body.fence.owner);
  if (!isRun(run)) return run;
  const action = actionById(state, run.actionId);
  if (!action) return reject('action_not_found', `Item ${state.id} has no Action ${run.actionId}.`);
  const { settlement, usage } = body;
  if (settlement.kind === 'interrupted') {
    const status = interruptedStatus(action, run);
    return [endRun(state, run, { status, code: settlement.code, error: settlement.error, usage }, ctx)];
  }
  if (!run.dispatched && settlement.outcome.kind === 'completed') {
    return reject('not_dispatched', `Run ${run.id} cannot complete before it was dispatched.`);
  }
  return [endRun(state, run, { ...outcomeEnding(state, run, action, settlement, ctx), usage }, ctx)];
};

const DEATH_WORDS = {
  lease_expired: 'Its lease ran out and nobody renewed it.',
  engine_died: 'Its engine process died while the Run was live.',
  engine_stopped: 'Its engine process stopped in good order.',
  machine_rebooted: 'Its machine was restarted.',
} as const;

/**
 * Recovery is an ordinary command, idempotent per Run (chapter 1 §17, REC-2). The lease row decides: expired by the
 * store's clock, or owned by a process that is provably gone from this machine.
 */
export const expireRun: Handler<'ExpireRun'> = (state, body, ctx): Answer => {
  const run = fencedRun(state, body.runId, body.epoch);
  if (!isRun(run)) return run;
  const { lease } = ctx.facts;
  const live = lease !== undefined && lease.epoch === run.epoch && lease.expiresAt > ctx.now;
  if (live && body.death === 'lease_expired') {
    return reject('lease_live', `Run ${run.id} is still held.`, {
      expected: `expiry before ${ctx.now}`,
      found: String(lease.expiresAt),
    });
  }
  const action = actionById(state, run.actionId);
  if (!action) return reject('action_not_found', `Item ${state.id} has no Action ${run.actionId}.`);
  const ending: Ending = {
    status: interruptedStatus(action, run),
    code: body.death,
    error: DEATH_WORDS[body.death],
    suspicion: body.death === 'engine_died' && run.dispatched,
  };
  return [endRun(state, run, ending, ctx)];
};
