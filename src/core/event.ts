import type { ActionResult, ActionSpec, ActionStatus, EndedRun, Enforcement, LiveRun } from './model/action.ts';
import type { Base, Contract, Delivery } from './model/contract.ts';
import type { Claim, FinalResult, Hold, Limits, Operation, Plan } from './model/item.ts';
import type { Usage } from './model/outcome.ts';
import type { Choice, HumanRequest } from './model/request.ts';

/** An Action as it enters the item. */
export interface NewAction {
  readonly id: string;
  readonly spec: ActionSpec;
  readonly specHash: string;
}

/** Every event type carries the version of its data; old ones are upcast on read (upcast.ts). */
export const EVENT_VERSION = 1;

/**
 * What happened. Past tense, complete in itself: `evolve` needs nothing but the state before and the event.
 * Later capabilities add types (entries, Coordinator turns, proposals, budget lines); none here will change meaning.
 */
export type EventBody =
  /** The stream begins. `actions` are the plan's; a coordinated item starts without. */
  | {
      readonly type: 'ItemCreated';
      readonly contract: Contract;
      readonly plan: Plan;
      readonly base: Base;
      readonly limits: Limits;
      readonly actions: readonly NewAction[];
    }
  /** A draft was released to run. */
  | { readonly type: 'ItemStarted' }
  /** A person changed the contract; `contractVersion` + 1. Superseded Actions follow as events of their own. */
  | { readonly type: 'ContractEdited'; readonly contract: Contract; readonly changed: readonly string[] }
  /** Orthogonal stop; `controlVersion` + 1 (D9). */
  | { readonly type: 'ItemHeld'; readonly hold: Hold }
  | { readonly type: 'ItemResumed' }
  | { readonly type: 'BudgetExtended'; readonly limits: Limits }
  /** Admission closed; live Runs are being ended (D13). */
  | { readonly type: 'StopRequested'; readonly reason: string }
  | { readonly type: 'ItemCancelled' }
  | { readonly type: 'ItemReopened' }
  /** Every criterion had a fresh proof when this was written (invariant 6). */
  | { readonly type: 'ItemCompleted'; readonly result: FinalResult }
  /** The engine commissioned an Action: verification today, Coordinator decisions later; `planVersion` unchanged. */
  | { readonly type: 'ActionAdded'; readonly action: NewAction }
  /** Back to `ready` at the next generation: retry, redirect, reopen, retain, reset of a dependant (D15). */
  | {
      readonly type: 'ActionReset';
      readonly actionId: string;
      readonly generation: number;
      readonly cause: 'retry' | 'redirect' | 'reopen' | 'retain' | 'dependency';
      readonly guidance?: string;
      readonly grantAttempts: number;
    }
  /** A person stepped over it: satisfied for dependants, proof of nothing (D2). */
  | { readonly type: 'ActionClosed'; readonly actionId: string; readonly reason: string }
  /** Taken out of the plan by a contract edit (`superseded`) or a stop (`cancelled`). */
  | {
      readonly type: 'ActionRetired';
      readonly actionId: string;
      readonly as: Extract<ActionStatus, 'superseded' | 'cancelled'>;
    }
  /** One owner, one epoch, one generation (invariant 1). */
  | { readonly type: 'RunClaimed'; readonly run: LiveRun }
  /** The command is about to start: from here on an ended outcome consumes an attempt (D12). */
  | {
      readonly type: 'RunDispatched';
      readonly runId: string;
      readonly base: string;
      readonly enforcement: Enforcement;
      readonly operation?: Operation;
    }
  /** The only way a Run ends (D11), with all that follows for its Action. */
  | {
      readonly type: 'RunSettled';
      readonly actionId: string;
      readonly run: EndedRun;
      readonly actionStatus: ActionStatus;
      readonly attemptCharged: boolean;
      /** When a retry may start: back-off with jitter, so that many failures do not return together. */
      readonly readyAt: number;
      readonly suspicion: boolean;
      readonly failureCode?: string;
      readonly result?: ActionResult;
      readonly claims: readonly Omit<Claim, 'seq'>[];
      readonly usage: Usage;
      /** True when files may have changed where nothing isolates them (D29 in place). */
      readonly wroteInPlace: boolean;
    }
  /** A completed isolated result reached the item branch. */
  | {
      readonly type: 'ResultMerged';
      readonly actionId: string;
      readonly generation: number;
      readonly head: string;
      /** False when the result changed nothing: no proof goes stale by it. */
      readonly wrote: boolean;
    }
  | {
      readonly type: 'MergeConflicted';
      readonly actionId: string;
      readonly generation: number;
      readonly paths: readonly string[];
      readonly ours: string;
      readonly theirs: string;
    }
  /** The target had moved: the item branch now contains it, and everything is to be verified again (D32). */
  | { readonly type: 'TargetSynced'; readonly head: string; readonly targetHead: string }
  | { readonly type: 'VerificationAsked' }
  /** The item branch exists in the user's repository at `commit`. */
  | { readonly type: 'ResultPublished'; readonly ref: string; readonly commit: string }
  /** The reservation: until it is settled nothing may take the landing away (D32). */
  | { readonly type: 'LandingReserved'; readonly epoch: number; readonly commit: string; readonly branch: string }
  | { readonly type: 'LandingSettled'; readonly landed: boolean; readonly code: string; readonly detail: string }
  /** A person chose a weaker delivery instead of the blocked one. */
  | { readonly type: 'DeliveryChanged'; readonly delivery: Delivery }
  | { readonly type: 'OperationResolved'; readonly operationId: string; readonly effect: Operation['effect'] }
  | { readonly type: 'RequestOpened'; readonly request: HumanRequest }
  | { readonly type: 'RequestAnswered'; readonly requestId: string; readonly choice: Choice; readonly text: string }
  | { readonly type: 'RequestWithdrawn'; readonly requestId: string; readonly reason: string };

export type EventType = EventBody['type'];

/** An event in its stream: `seq` from 1 without gaps, `at` in epoch milliseconds. */
export interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  readonly body: EventBody;
}
