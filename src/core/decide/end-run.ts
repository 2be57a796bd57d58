import type { Context } from '../command.ts';
import { attemptCap } from '../derive/budget.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import type { ActionState, ActionStatus, EndedRun, LiveRun } from '../model/action.ts';
import { ACTION_LIMITS } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import type { Usage } from '../model/outcome.ts';
import { NO_USAGE } from '../model/outcome.ts';
import { invariant } from '../rejection.ts';

type Settled = Extract<EventBody, { type: 'RunSettled' }>;

/** How a Run ends, before its consequences are known. */
export interface Ending {
  readonly status: EndedRun['status'];
  readonly code?: string;
  readonly summary?: string;
  readonly error?: string;
  readonly receipts?: EndedRun['receipts'];
  readonly usage?: Usage;
  /** The Run was live when its engine died (D12). */
  readonly suspicion?: boolean;
  /** Forces the Action's state: cancelled, superseded, ready after redirect. */
  readonly actionStatus?: ActionStatus;
  readonly extra?: Partial<Pick<Settled, 'result' | 'claims'>>;
}

const BACKOFF = Object.freeze({ firstMs: 500, maxMs: 60_000 });

/** Back-off with jitter drawn from the Run's id: deterministic, yet spread (quality.md, "10,000 items fail at once"). */
export function retryAt(ctx: Context, runId: string, attempts: number): number {
  const step = Math.min(BACKOFF.firstMs * 2 ** Math.max(0, attempts - 1), BACKOFF.maxMs);
  const spread = Number.parseInt(ctx.hash(runId).slice(0, 6), 16) / 0xffffff;
  return ctx.now + Math.round(step * (0.5 + spread));
}

/**
 * The one predicate asked on every path before work is repeated without a person (D11): never for `deliver`, never
 * for an external effect once dispatched, never after an unknown outcome.
 */
export function mayAutoRetry(action: ActionState, run: LiveRun, status: EndedRun['status']): boolean {
  if (status === 'unknown') return false;
  if (!run.dispatched) return true;
  return action.spec.type !== 'deliver' && action.spec.effects !== 'external';
}

/** Outcomes that consume an attempt: those by which a dispatched Run really ended (D12). */
const CHARGING: ReadonlySet<EndedRun['status']> = new Set(['completed', 'failed', 'retryable']);

interface Verdict {
  readonly status: ActionStatus;
  readonly failureCode?: string;
}

function verdict(state: ItemState, action: ActionState, run: LiveRun, ending: Ending): Verdict {
  if (ending.actionStatus === 'failed') return { status: 'failed', failureCode: ending.code ?? 'failed' };
  if (ending.actionStatus) return { status: ending.actionStatus };
  if (ending.status === 'completed') return { status: 'completed' };
  if (ending.status === 'waiting') return { status: 'waiting' };
  if (ending.status === 'failed') return { status: 'failed', failureCode: ending.code ?? 'failed' };
  if (!mayAutoRetry(action, run, ending.status)) {
    return { status: 'failed', failureCode: ending.code ?? 'not_repeatable' };
  }
  if (ending.suspicion && run.alone) return { status: 'failed', failureCode: 'quarantined' };
  const charged = run.dispatched && CHARGING.has(ending.status) ? 1 : 0;
  const left = action.attempts + charged < attemptCap(state, action);
  return left ? { status: 'ready' } : { status: 'failed', failureCode: 'attempts_exhausted' };
}

/** A refused result waits longer each time, and so does a preparation that is lost again and again. */
function readyAt(action: ActionState, run: LiveRun, ending: Ending, ctx: Context): number {
  if (ending.status === 'retryable') return retryAt(ctx, run.id, action.attempts + 1);
  const lostPreparation = ending.status === 'interrupted' && !run.dispatched && ending.usage !== undefined;
  return lostPreparation ? retryAt(ctx, run.id, action.runs - action.attempts) : ctx.now;
}

/** What nobody reported is charged by what is known: the time since the claim, at most the time reserved (D26, D27). */
const estimatedUsage = (run: LiveRun, ctx: Context): Usage =>
  run.dispatched
    ? { ...NO_USAGE, wallMs: Math.max(0, Math.min(ctx.now - run.startedAt, run.timeLimitSec * 1000)) }
    : NO_USAGE;

/** The only way a Run ends, whoever caused it, with one set of consequences (D11). */
export function endRun(state: ItemState, run: LiveRun, ending: Ending, ctx: Context): Settled {
  const action = actionById(state, run.actionId);
  invariant(action, `item ${state.id}: live run ${run.id} belongs to no action`);
  const { status, failureCode } = verdict(state, action, run, ending);
  const attemptCharged = run.dispatched && CHARGING.has(ending.status);
  const ended: EndedRun = {
    id: run.id,
    generation: run.generation,
    ordinal: run.ordinal,
    status: ending.status,
    ...(ending.code === undefined ? {} : { code: ending.code }),
    summary: ending.summary ?? '',
    ...(ending.error === undefined ? {} : { error: ending.error }),
    endedSeq: state.version + 1,
    dispatched: run.dispatched,
    receipts: ending.receipts ?? [],
  };
  const inPlaceWriter =
    state.contract.workspace === 'in-place' &&
    action.spec.workspace !== 'read' &&
    action.spec.executor.kind !== 'verify';
  return {
    type: 'RunSettled',
    actionId: action.id,
    run: ended,
    actionStatus: status,
    attemptCharged,
    readyAt: readyAt(action, run, ending, ctx),
    suspicion: ending.suspicion ?? false,
    ...(failureCode === undefined ? {} : { failureCode }),
    claims: [],
    usage: ending.usage ?? estimatedUsage(run, ctx),
    wroteInPlace: inPlaceWriter && run.dispatched,
    ...ending.extra,
  };
}

/** After two suspicions an Action runs alone (D12). */
export const mustRunAlone = (action: ActionState): boolean => action.suspicions >= ACTION_LIMITS.suspicionsBeforeAlone;
