import type { CommandOf, Context, Settlement } from '../command.ts';
import { actionById, isVerify } from '../derive/index.ts';
import { type ActionState, type Claim, identityOf, type Outcome, type Receipt } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { type Ending, endRun } from './end-run.ts';
import { byOwner, fencedRun, type Handlers, isLive, type Live } from './handler.ts';

type Completed = Extract<Outcome, { kind: 'completed' }>;
type Ended = Extract<Settlement, { kind: 'outcome' }>;

/**
 * What a Run said of criteria, in the versions they have now. Receipts of the engine's own run speak for every check,
 * and one that could not be run is a refusal too (D23); an executor speaks only of what it was for (D22).
 */
function claimsOf({ state, run, action }: Live, outcome: Completed, receipts: readonly Receipt[], at: number) {
  const { id: runId, generation, startedSeq } = run;
  const who = { identity: identityOf(state, action.id), actionId: action.id, generation, runId, startedSeq, at };
  const known = new Map(state.contract.criteria.map((criterion) => [criterion.id, criterion.version]));
  if (isVerify(action)) {
    return receipts
      .filter(({ criterionId }) => known.has(criterionId))
      .map((receipt): Omit<Claim, 'seq'> => {
        const { criterionId, criterionVersion, verdict, log } = receipt;
        const status = verdict === 'passed' ? 'passed' : 'failed';
        const evidence = log.tail.slice(-500);
        return { ...who, criterionId, criterionVersion, status, by: 'machine', evidence, receipt };
      });
  }
  return [...outcome.claims, ...refusedByReview(action, outcome)].flatMap(({ criterionId, status, evidence }) => {
    const criterionVersion = known.get(criterionId);
    if (criterionVersion === undefined || !action.spec.for.includes(criterionId)) return [];
    if (status !== 'passed' && status !== 'failed') return [];
    return [{ ...who, criterionId, criterionVersion, status, by: 'executor', evidence } as const];
  });
}

/** A review that wants changes speaks against all that it was for, but for what it says does not apply (GOAL-3). */
function refusedByReview({ spec }: ActionState, { review, claims, summary }: Completed): Completed['claims'] {
  if (review !== 'changes_requested') return [];
  const said = (id: string) => claims.find(({ criterionId }) => criterionId === id)?.status;
  return spec.for
    .filter((id) => said(id) !== 'not_applicable' && said(id) !== 'failed')
    .map((criterionId) => ({ criterionId, status: 'failed', evidence: summary.slice(0, 500) }));
}

/** A verification that leaves a check out has not judged the result. */
const isSilentAbout = ({ state }: Live, receipts: readonly Receipt[]): boolean =>
  state.contract.criteria.some(
    ({ id, version, check }) =>
      check && !receipts.some((known) => known.criterionId === id && known.criterionVersion === version),
  );

function completedEnding(live: Live, outcome: Completed, settlement: Ended, ctx: Context): Ending {
  const { run, action, state } = live;
  const { receipts, commit, changedPaths } = settlement;
  if (action.spec.type === 'review' && outcome.review === undefined) {
    const error = 'A review ends with approved or changes_requested.';
    return { status: 'retryable', code: 'no_review_decision', error };
  }
  if (isVerify(action) && isSilentAbout(live, receipts)) {
    return { status: 'retryable', code: 'no_receipt', error: 'A criterion with a check was not judged.' };
  }
  const claims = claimsOf(live, outcome, receipts, ctx.now);
  const ending = { status: 'completed', summary: outcome.summary, receipts, claims } as const;
  // It did its work, and its word is no: a person decides what becomes of the reviewed Actions (D2, rule 13).
  if (outcome.review === 'changes_requested') return { ...ending, code: outcome.review, actionStatus: 'failed' };
  const captured = { ...(commit === undefined ? {} : { commit }), changedPaths };
  const { id: runId, startedSeq } = run;
  return { ...ending, result: { runId, startedSeq, settledSeq: state.version + 1, outcome, ...captured } };
}

/** A model that has not heard what a person wrote to it is not done (I7); it hears it and goes on. */
function unheard({ run, action }: Live, { outcome }: Ended): Rejection | undefined {
  if (outcome.kind !== 'completed' || action.spec.executor.kind !== 'agent') return undefined;
  const count = action.messages.length - run.messagesHeard;
  if (count <= 0) return undefined;
  return reject('messages_pending', `Action ${action.id} has ${count} message(s) that its Run has not heard.`);
}

function outcomeEnding(live: Live, settlement: Ended, ctx: Context): Ending {
  const { outcome, receipts } = settlement;
  if (outcome.kind === 'completed') return completedEnding(live, outcome, settlement, ctx);
  if (outcome.kind === 'waiting') return { status: 'waiting', summary: outcome.question, receipts };
  const { kind: status, code, error, summary = '' } = outcome;
  return { status, code, error, summary, receipts };
}

/**
 * A person answers operations that ended unknown; so a Run with an external effect is `unknown`, not interrupted. One
 * that was waiting for a person's leave is `waiting`: nothing was on its way, and the answer starts another (D16).
 */
function interruptedStatus({ state, action, run }: Live): 'unknown' | 'waiting' | 'interrupted' {
  const isAsking = state.requests.some(
    ({ subject }) => subject.kind === 'tool_approval' && subject.actionId === action.id,
  );
  if (run.idle && isAsking) return 'waiting';
  return run.dispatched && action.spec.effects === 'external' ? 'unknown' : 'interrupted';
}

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
export const SETTLE_HANDLERS: Handlers<'Settle' | 'ExpireRun' | 'RecordLate'> = {
  Settle: byOwner((live, { fence, settlement, usage }: CommandOf<'Settle'>, ctx) => {
    if (settlement.kind === 'interrupted') {
      const { code, error, park: parked } = settlement;
      const ended = endRun(live, { status: interruptedStatus(live), code, error, usage }, ctx);
      return parked ? [ended, { type: 'ItemParked', parked }] : [ended];
    }
    if (!live.run.dispatched && settlement.outcome.kind === 'completed') {
      return reject('not_dispatched', `Run ${fence.runId} cannot complete before it was dispatched.`);
    }
    return unheard(live, settlement) ?? [endRun(live, { ...outcomeEnding(live, settlement, ctx), usage }, ctx)];
  }),
  RecordLate(state, { actionId, runId, summary, usage }) {
    if (actionById(state, actionId) && state.runs.every((run) => run.id !== runId))
      return [{ type: 'LateResultRecorded', actionId, runId, summary, usage }];
    return reject('wrong_state', `Run ${runId} was not taken from its owner.`, { expected: 'a Run that has ended' });
  },
  ExpireRun(state, { runId, epoch, death }, ctx) {
    const live = fencedRun(state, runId, epoch);
    if (!isLive(live)) return live;
    const { lease } = ctx.facts;
    if (death === 'lease_expired' && lease?.epoch === epoch && lease.expiresAt > ctx.now) {
      return reject('lease_live', `Run ${runId} is still held.`, {
        found: `expiry in ${lease.expiresAt - ctx.now} ms`,
      });
    }
    const suspicion = death === 'engine_died' && live.run.dispatched && !live.run.idle;
    return [endRun(live, { status: interruptedStatus(live), code: death, error: DEATH_WORDS[death], suspicion }, ctx)];
  },
};
