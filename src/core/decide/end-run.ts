import type { Context } from '../command.ts';
import { attemptCap } from '../derive/index.ts';
import type { EventOf } from '../event.ts';
import { type ActionState, type EndedRun, isWriter, type LiveRun, NO_USAGE, type Usage } from '../model/index.ts';
import type { Live } from './handler.ts';

type Settled = EventOf<'RunSettled'>;
type Status = EndedRun['status'];
type Said = Pick<EndedRun, 'code' | 'summary' | 'error' | 'receipts'>;

/** How a Run ends, before its consequences are known. */
export interface Ending extends Partial<Pick<Settled, 'result' | 'claims' | 'suspicion' | 'usage'> & Said> {
  readonly status: Status;
  /** Forces the Action's state: cancelled, superseded, ready after redirect, failed after a review that says no. */
  readonly actionStatus?: Settled['actionStatus'];
}

const BACKOFF = Object.freeze({ firstMs: 500, maxMs: 60_000 });

/** Back-off with jitter drawn from the Run's id: deterministic, yet spread (quality.md, "10,000 items fail at once"). */
function retryAt(ctx: Context, runId: string, tries: number): number {
  const step = Math.min(BACKOFF.firstMs * 2 ** Math.max(0, tries - 1), BACKOFF.maxMs);
  const spread = Number.parseInt(ctx.hash(runId).slice(0, 6), 16) / 0xffffff;
  return ctx.now + Math.round(step * (0.5 + spread));
}

/**
 * The one predicate asked on every path before work is repeated without a person (D11): never for `deliver`, never
 * for an external effect once dispatched or a tool call that acted, never after an unknown outcome.
 */
function mayAutoRetry({ state, run, action: { spec } }: Live, status: Status): boolean {
  const acted = state.operations.some(
    ({ runId, tool, effect }) => runId === run.id && tool && effect !== 'not_applied',
  );
  if (status === 'unknown' || acted) return false;
  return !run.dispatched || (spec.type !== 'deliver' && spec.effects !== 'external');
}

/** Outcomes that consume an attempt: those by which a dispatched Run really ended (D12). */
const CHARGING: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'retryable']);
const isCharged = (run: LiveRun, { status }: Ending): boolean => run.dispatched && CHARGING.has(status);

type Verdict = Pick<Settled, 'actionStatus' | 'failureCode'>;
const failed = (failureCode: string): Verdict => ({ actionStatus: 'failed', failureCode });

function verdict(live: Live, ending: Ending): Verdict {
  const { state, run, action } = live;
  const { status, actionStatus, code } = ending;
  if (actionStatus && actionStatus !== 'failed') return { actionStatus };
  if (actionStatus || status === 'failed') return failed(code ?? 'failed');
  if (status === 'completed' || status === 'waiting') return { actionStatus: status };
  if (!mayAutoRetry(live, status)) return failed(code ?? 'not_repeatable');
  if (ending.suspicion && run.alone) return failed('quarantined');
  const attempts = action.attempts + (isCharged(run, ending) ? 1 : 0);
  return attempts < attemptCap(state, action) ? { actionStatus: 'ready' } : failed('attempts_exhausted');
}

/** A refused result waits longer each time, and so does a preparation that is lost again and again. */
function readyAt({ action, run }: Live, ending: Ending, ctx: Context): number {
  if (ending.status === 'retryable') return retryAt(ctx, run.id, action.attempts + 1);
  const lostPreparation = ending.status === 'interrupted' && !run.dispatched && ending.usage !== undefined;
  return lostPreparation ? retryAt(ctx, run.id, action.runs - action.attempts) : ctx.now;
}

/** What nobody reported is charged by what is known: the time since the claim, at most the time reserved (D26, D27). */
function estimatedUsage(run: LiveRun, ctx: Context): Usage {
  if (!run.dispatched) return NO_USAGE;
  return { ...NO_USAGE, wallMs: Math.max(0, Math.min(ctx.now - run.startedAt, run.timeLimitSec * 1000)) };
}

type Lost = NonNullable<Settled['calls']>;

/** Calls that nobody will answer any more: what was sent is unknown and stays charged, the rest was never made. */
const lostCalls = ({ calls }: Live['state'], { id }: LiveRun): Lost =>
  calls.flatMap(
    ({ id: callId, of, status }): Lost =>
      of.kind === 'run' && of.runId === id ? [{ callId, as: status === 'dispatching' ? 'unknown' : 'abandoned' }] : [],
  );

/** A Run that gives up over a request whose answer is lost leaves something nobody knows: not repeated by itself (D11). */
function withLost({ state, run }: Live, ending: Ending, calls: Lost): Ending {
  const wasLost = state.uncertain.some(({ of }) => of.kind === 'run' && of.runId === run.id);
  const givesUp = ending.status === 'interrupted' || ending.status === 'retryable';
  const isUncertain = givesUp && (wasLost || calls.some(({ as }) => as === 'unknown'));
  return isUncertain ? { ...ending, status: 'unknown', code: 'model_call_unknown' } : ending;
}

/** The only way a Run ends, whoever caused it, with one set of consequences (D11). */
export function endRun(live: Live, how: Ending, ctx: Context): Settled {
  const { state, run, action } = live;
  const calls = lostCalls(state, run);
  const ending = withLost(live, how, calls);
  const { id, generation, ordinal, dispatched } = run;
  const { status, code, summary = '', error, receipts = [], result } = ending;
  const said = { ...(code === undefined ? {} : { code }), summary, ...(error === undefined ? {} : { error }) };
  return {
    type: 'RunSettled',
    actionId: action.id,
    run: { id, generation, ordinal, status, ...said, endedSeq: state.version + 1, dispatched, receipts },
    ...verdict(live, ending),
    attemptCharged: isCharged(run, ending),
    readyAt: readyAt(live, ending, ctx),
    suspicion: ending.suspicion ?? false,
    claims: ending.claims ?? [],
    ...(result ? { result } : {}),
    usage: ending.usage ?? estimatedUsage(run, ctx),
    wroteInPlace: state.contract.workspace === 'in-place' && isWriter(action.spec) && dispatched,
    ...(calls.length > 0 ? { calls } : {}),
  };
}

/** Ends the live Run of an Action, if it has one, because its work is no longer wanted; the engine keeps its files. */
export function endRunOf(state: Live['state'], action: ActionState, ending: Ending, ctx: Context): readonly Settled[] {
  const run = state.runs.find((live) => live.id === action.runId);
  return run ? [endRun({ state, run, action }, ending, ctx)] : [];
}
