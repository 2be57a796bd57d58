import type { ActionState, LiveRun } from './action.ts';
import type { Base, Contract, Delivery } from './contract.ts';
import type { Attachment, BackgroundMessage, Fact, Origin } from './conversation.ts';
import type { Completion, CoordinatorState } from './coordinator.ts';
import type { OpenCall, UncertainCall } from './model-call.ts';
import type { Output, Receipt, ReceiptFlag, Usage } from './outcome.ts';
import type { HumanRequest } from './request.ts';

/** Three ways to plan, one engine (D1). The tag is frozen at creation. */
export type Plan =
  | { readonly kind: 'coordinated' }
  | { readonly kind: 'graph'; readonly planner: 'triage' | 'file' }
  | { readonly kind: 'linear'; readonly template: string };

/**
 * Lifecycle: the stored part of the item's status. What people see is derived from it (derive/status.ts, D9).
 *
 * | State      | Leaves by                     | What is true                               |
 * | ---------- | ----------------------------- | ------------------------------------------ |
 * | draft      | Start, Stop                   | nothing runs                               |
 * | open       | completion, Stop              | something can move, or somebody was asked  |
 * | cancelling | the last Run or landing ends  | admission is closed                        |
 * | cancelled  | Reopen                        | no lease, no timer                         |
 * | done       | never                         | fresh proof for every criterion            |
 */
export type Lifecycle = 'draft' | 'open' | 'cancelling' | 'cancelled' | 'done';

/** An orthogonal stop (D9): no claim, no dispatch, no decision; owners may still settle. */
export type Hold = Readonly<{ code: HoldCode; at: number; details: string }>;
export type HoldCode = 'user' | 'disk_low' | 'engine_trouble' | 'coordinator_failures' | BudgetCode;
/** Settled use of this left no room (D26). */
export type BudgetCode = 'wall_clock_exhausted' | 'requests_exhausted' | 'tokens_exhausted' | 'money_exhausted';

/** Nothing starts before `until`: an exhausted quota, a daily limit. One wake at the reset, no attempt charged. */
export type Parked = Readonly<{ until: number; code: string; details: string }>;

/** Limits per item (D26); null means none. */
export interface Limits {
  /** Sum of the time Runs may take, in seconds. */
  readonly wallClockSec: number | null;
  /** Attempts per Action over its whole life. */
  readonly attempts: number;
  /** What a person added to every Action's own bound. */
  readonly attemptsExtension: number;
  /** Model requests, of Runs and of the Coordinator. */
  readonly requests: number;
  /** Charged tokens: cache reads are weighed by their price. */
  readonly tokens: number;
  /** Model requests of one Run. */
  readonly runRequests: number;
  /** Money in millionths of a US dollar. */
  readonly costMicros: number | null;
  /** Whether executors that report no money may run under a limit of it (D27). */
  readonly allowUnmetered: boolean;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  wallClockSec: null,
  attempts: 3,
  attemptsExtension: 0,
  requests: 1_000,
  tokens: 20_000_000,
  runRequests: 200,
  costMicros: null,
  allowUnmetered: false,
});

/** The last event by which an Action, or a sync with the target, changed the result; independence is by identity. */
export type WriteMark = Readonly<{ actionId: string; generation: number; identity: string; seq: number }>;

/** Something that was said about a criterion, kept as long as it can matter (D24). */
export interface Claim extends WriteMark {
  readonly criterionId: string;
  readonly criterionVersion: number;
  readonly status: 'passed' | 'failed';
  readonly by: 'machine' | 'executor';
  readonly runId: string;
  /** What the claimer could see: everything up to this event. */
  readonly startedSeq: number;
  readonly at: number;
  readonly evidence: string;
  readonly receipt?: Receipt;
}

/** A recorded side effect whose outcome is known, or unknown until someone resolves it (chapter 1 §11). */
export interface Operation {
  readonly id: string;
  readonly actionId: string;
  readonly runId: string;
  readonly what: string;
  readonly effect: 'pending' | 'applied' | 'not_applied' | 'unknown';
  /** The tool call of an agent that acts outside; absent for a whole Action with external effects. */
  readonly tool?: string;
}

/** A pull request that the engine opened or verified at exactly this commit (D25). */
export type PullRequest = Readonly<{ url: string; commit: string; branch: string }>;

/**
 * The reserved step of delivery (D32).
 *
 * | Landing  | Moved by       | What is true                                                  |
 * | -------- | -------------- | ------------------------------------------------------------- |
 * | none     | –              | nothing was reserved, or the last try ended and may be repeated |
 * | reserved | BeginLanding   | a process may be moving the target; nothing may take it away    |
 * | landed   | SettleLanding  | the target branch holds `commit`                                |
 */
export type Landing = Readonly<
  | { kind: 'none' }
  | { kind: 'reserved'; epoch: number; commit: string; branch: string }
  | { kind: 'landed'; commit: string; branch: string }
>;

/** The item branch: its head, and the event that moved it last. */
export interface ItemBranch {
  readonly head: string;
  readonly writeSeq: number;
  /** What the result is compared with: the item's base, or the target's head once that was taken in. */
  readonly base: string;
}

export interface ProvenCriterion {
  readonly criterionId: string;
  readonly text: string;
  readonly proof: 'machine' | 'independent' | 'self';
  readonly flags: readonly (ReceiptFlag | 'concurrent_write')[];
  readonly runId: string;
}

/** Written once, by the event that makes the item done (invariant 6). */
export interface FinalResult {
  readonly summary: string;
  readonly criteria: readonly ProvenCriterion[];
  readonly outputs: readonly Output[];
  readonly delivery: Delivery;
  readonly commit?: string;
  readonly publishedBranch?: string;
  readonly pullRequest?: string;
  /** What the Coordinator says may still go wrong. */
  readonly residualRisks?: readonly string[];
  readonly usage: Usage;
}

/** The folded state of one WorkItem stream. */
export interface ItemState {
  readonly id: string;
  /** Sequence of the last folded event. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly contract: Contract;
  readonly contractVersion: number;
  /** The title was made from the goal; a Coordinator may give a better one. A title is a label (D5). */
  readonly titlePending: boolean;
  readonly plan: Plan;
  readonly planVersion: number;
  readonly base: Base;
  readonly lifecycle: Lifecycle;
  readonly hold?: Hold;
  readonly parked?: Parked;
  /** Counts holds, extensions and resumes: the fence of user control (D28). */
  readonly controlVersion: number;
  readonly limits: Limits;
  readonly usage: Usage;
  readonly actions: readonly ActionState[];
  readonly runs: readonly LiveRun[];
  readonly claims: readonly Claim[];
  readonly writes: readonly WriteMark[];
  readonly operations: readonly Operation[];
  readonly requests: readonly HumanRequest[];
  readonly requestCount: number;
  readonly messageCount: number;
  readonly attachments: readonly Attachment[];
  /** What people said and no Coordinator turn has heard. */
  readonly inbox: readonly Fact[];
  readonly coordinator: CoordinatorState;
  readonly calls: readonly OpenCall[];
  readonly uncertain: readonly UncertainCall[];
  readonly completion?: Completion;
  readonly origin?: Origin;
  readonly background: readonly BackgroundMessage[];
  /** Results of earlier items in this directory are offered as references (D35). */
  readonly reuseMemory: boolean;
  readonly verifyCount: number;
  /** A person asked for verification again at this event; earlier verdicts no longer settle it. */
  readonly verifyAskedSeq: number;
  readonly branch: ItemBranch;
  readonly published?: { readonly ref: string; readonly commit: string };
  readonly pull?: PullRequest;
  readonly landing: Landing;
  readonly landingEpoch: number;
  /** Virtual start time by which items take turns: the instant of the last claim, or of the start. */
  readonly claimKey: number;
  readonly finalResult?: FinalResult;
}

/** Whose work an Action's is when independence is judged (D24). */
export function identityOf(state: ItemState, actionId: string): string {
  const executor = state.actions.find((action) => action.id === actionId)?.spec.executor;
  if (executor?.kind === 'agent') return executor.vp;
  return executor?.kind === 'command' ? executor.identity : 'engine';
}
