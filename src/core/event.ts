import type {
  ActionState,
  AgentManifest,
  Conflict,
  EndedRun,
  Enforcement,
  Grant,
  LiveRun,
  Retired,
} from './model/action.ts';
import type { Base, Contract, Delivery } from './model/contract.ts';
import type { Attachment, BackgroundMessage, Message, MessageTarget, Origin } from './model/conversation.ts';
import type { OpenTurn } from './model/coordinator.ts';
import type { Claim, FinalResult, Hold, Landing, Limits, Operation, Parked, Plan, PullRequest } from './model/item.ts';
import type { CallTokens, Charge, OpenCall } from './model/model-call.ts';
import type { Usage } from './model/outcome.ts';
import type { Choice, HumanRequest } from './model/request.ts';

/** An Action as it enters the item. */
export type NewAction = Readonly<{ id: string; spec: ActionState['spec']; specHash: string }>;

/** Every event type carries the version of its data; old ones are upcast on read. */
export const EVENT_VERSION = 2;

type OfAction = { actionId: string };
type OfGeneration = { actionId: string; generation: number };

/** What an item is born with, beside contract and plan. */
export interface Provenance {
  readonly titlePending: boolean;
  readonly attachments: readonly Attachment[];
  readonly origin?: Origin;
  readonly background: readonly BackgroundMessage[];
  readonly reuseMemory: boolean;
}

interface Born {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly base: Base;
  readonly limits: Limits;
  readonly actions: readonly NewAction[];
}

/** Past tense, complete in itself: `evolve` needs nothing but the state before and the event. */
interface Events {
  /** The stream begins. `actions` are the plan's; a coordinated item starts without. */
  ItemCreated: Born & Provenance;
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
  RunDispatched: {
    runId: string;
    base: string;
    enforcement: Enforcement;
    operation?: Operation;
    agent?: AgentManifest;
  };
  /** It waits for an approval and gave its slot back, or took one again (D16). */
  RunIdled: { runId: string; idle: boolean };
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
  /** A pull request at exactly `commit` exists (D25). */
  PullRequestOpened: { pull: PullRequest };
  /** A tool call that acts outside is about to happen (O2). */
  OperationBegun: { operation: Operation };
  OperationResolved: { operationId: string; effect: Operation['effect'] };
  RequestOpened: { request: HumanRequest };
  RequestAnswered: { requestId: string; choice: Choice; text: string; attachments?: readonly Attachment[] };
  RequestWithdrawn: { requestId: string; reason: string };
  /** A person's leave for a call of this Action, or its use (D16). */
  GrantGiven: OfAction & { grant: Grant };
  GrantUsed: OfAction & { key: string };
  /** A person wrote something (D14). To an Action it is context of its present generation (D15). */
  MessagePosted: { message: Message; target: MessageTarget };
  /** One Coordinator turn begins; the inbox up to here is its to hear (D17). */
  TurnOpened: { turn: OpenTurn };
  /** Its owner is gone; another goes on with it, under its own epoch. */
  TurnAdopted: { turnId: string; epoch: number; owner: string };
  /** It decided. What it decided follows as events of their own. */
  TurnDecided: {
    turnId: string;
    kinds: readonly string[];
    reply: string;
    reason: string;
    /** It brought a new proof, a new kind of Action, or answered a person (D17). */
    progressed: boolean;
    /** The newest fact before its own consequences, and the criteria proven then. */
    factSeq: number;
    proven: number;
  } & Named;
  TurnFailed: { turnId: string; code: string; error: string; retryAt: number; counted: boolean };
  /** Its decision is no longer wanted: the item was held, stopped, resumed (D28). */
  TurnRetired: { turnId: string; reason: string };
  /** The Coordinator finds everything proven; delivery begins, and the item ends with it (D18). */
  CompletionDecided: { summary: string; residualRisks: readonly string[] };
  /** Something came up before delivery ended; it has to be decided again. */
  CompletionVoided: { reason: string };
  CallPrepared: { call: OpenCall };
  CallDispatched: { callId: string };
  CallSettled: { callId: string } & CallVerdict;
  /** Real usage replaces the estimate of a call whose end was unknown (RES-3). */
  CallCorrected: { callId: string; charge: Charge; tokens: CallTokens };
  ItemParked: { parked: Parked };
}

/** A title for an item that has none of its own. */
type Named = { title?: string };

export type CallVerdict =
  | { as: 'responded'; responseHash: string; charge: Charge; tokens: CallTokens | null; stop: string }
  | { as: 'rejected'; code: string; error: string }
  | { as: 'unknown'; code: string; error: string; charge: Charge };

export type ResetCause =
  | ('retry' | 'redirect' | 'reopen' | 'retain' | 'dependency')
  /** A person's message, a person's leave, the Coordinator's guidance. */
  | ('message' | 'approval' | 'guide');

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
  /** Its calls that nobody will answer any more: never sent, or sent and lost. */
  readonly calls?: readonly { readonly callId: string; readonly as: 'abandoned' | 'unknown' }[];
}

export type EventType = keyof Events;

export type EventOf<T extends EventType> = T extends EventType ? Readonly<{ type: T } & Events[T]> : never;
export type EventBody = EventOf<EventType>;

/** An event in its stream: `seq` from 1 without gaps, `at` in epoch milliseconds. */
export type StoredEvent = Readonly<{ seq: number; at: number; body: EventBody }>;
