import type { ActionState, Conflict, EndedRun, Enforcement, LiveRun, Retired } from './model/action.ts';
import type { Base, Contract, Delivery } from './model/contract.ts';
import type { Claim, FinalResult, Hold, Landing, Limits, Operation, Plan } from './model/item.ts';
import type { Usage } from './model/outcome.ts';
import type { Choice, HumanRequest } from './model/request.ts';

/** An Action as it enters the item. */
export type NewAction = Readonly<{ id: string; spec: ActionState['spec']; specHash: string }>;

/** Every event type carries the version of its data; old ones are upcast on read. */
export const EVENT_VERSION = 1;

type OfAction = { actionId: string };
type OfGeneration = { actionId: string; generation: number };

/**
 * What happened. Past tense, complete in itself: `evolve` needs nothing but the state before and the event.
 * Later capabilities add types (entries, Coordinator turns, proposals, budget lines); none here will change meaning.
 */
interface Events {
  /** The stream begins. `actions` are the plan's; a coordinated item starts without. */
  ItemCreated: { contract: Contract; plan: Plan; base: Base; limits: Limits; actions: readonly NewAction[] };
  /** A draft was released to run. */
  ItemStarted: unknown;
  /** A person changed the contract; `contractVersion` + 1. Superseded Actions follow as events of their own. */
  ContractEdited: { contract: Contract; changed: readonly string[] };
  /** Orthogonal stop; `controlVersion` + 1 (D9). */
  ItemHeld: { hold: Hold };
  ItemResumed: unknown;
  BudgetExtended: { limits: Limits };
  /** Admission closed; live Runs are being ended (D13). */
  StopRequested: { reason: string };
  ItemCancelled: unknown;
  ItemReopened: unknown;
  /** Every criterion had a fresh proof when this was written (invariant 6). */
  ItemCompleted: { result: FinalResult };
  /** The engine commissioned an Action: verification today, Coordinator decisions later; `planVersion` unchanged. */
  ActionAdded: { action: NewAction };
  /** Back to `ready` at the next generation: retry, redirect, reopen, retain, reset of a dependant (D15). */
  ActionReset: OfGeneration & { cause: ResetCause; guidance?: string; grantAttempts: number };
  /** A person stepped over it: satisfied for dependants, proof of nothing (D2). */
  ActionClosed: OfAction & { reason: string };
  /** Taken out of the plan by a contract edit (`superseded`) or a stop (`cancelled`). */
  ActionRetired: OfAction & { as: Retired };
  /** One owner, one epoch, one generation (invariant 1). */
  RunClaimed: { run: LiveRun };
  /** The command is about to start: from here on an ended outcome consumes an attempt (D12). */
  RunDispatched: { runId: string; base: string; enforcement: Enforcement; operation?: Operation };
  /** The only way a Run ends (D11), with all that follows for its Action. */
  RunSettled: OfAction & SettledRun;
  /** What a Run said after it had been taken from its owner. `usage` is what was not charged then (D8). */
  LateResultRecorded: OfAction & { runId: string; summary: string; usage: Usage };
  /** A completed isolated result reached the item branch. `wrote` is false when it changed nothing: no proof ages. */
  ResultMerged: OfGeneration & { head: string; wrote: boolean };
  MergeConflicted: OfGeneration & Omit<Conflict, 'kind'>;
  /** The target had moved: the item branch now contains it, and everything is to be verified again (D32). */
  TargetSynced: { head: string; targetHead: string };
  VerificationAsked: unknown;
  /** The item branch exists in the user's repository at `commit`. */
  ResultPublished: { ref: string; commit: string };
  /** The reservation: until it is settled nothing may take the landing away (D32). */
  LandingReserved: Omit<Extract<Landing, { kind: 'reserved' }>, 'kind'>;
  LandingSettled: { landed: boolean; code: string; detail: string };
  /** A person chose a weaker delivery instead of the blocked one; `contractVersion` + 1. */
  DeliveryChanged: { delivery: Delivery };
  OperationResolved: { operationId: string; effect: Operation['effect'] };
  RequestOpened: { request: HumanRequest };
  RequestAnswered: { requestId: string; choice: Choice; text: string };
  RequestWithdrawn: { requestId: string; reason: string };
}

export type ResetCause = 'retry' | 'redirect' | 'reopen' | 'retain' | 'dependency';

interface SettledRun {
  readonly run: EndedRun;
  readonly actionStatus: ActionState['status'];
  readonly attemptCharged: boolean;
  /** When a retry may start: back-off with jitter, so that many failures do not return together. */
  readonly readyAt: number;
  readonly suspicion: boolean;
  readonly failureCode?: string;
  readonly result?: NonNullable<ActionState['result']>;
  readonly claims: readonly Omit<Claim, 'seq'>[];
  readonly usage: Usage;
  /** True when files may have changed where nothing isolates them (D29 in place). */
  readonly wroteInPlace: boolean;
}

export type EventType = keyof Events;

export type EventOf<T extends EventType> = T extends EventType ? Readonly<{ type: T } & Events[T]> : never;
export type EventBody = EventOf<EventType>;

/** An event in its stream: `seq` from 1 without gaps, `at` in epoch milliseconds. */
export type StoredEvent = Readonly<{ seq: number; at: number; body: EventBody }>;
