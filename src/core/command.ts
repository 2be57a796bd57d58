import type { CallVerdict, EventOf, NewAction, Provenance } from './event.ts';
import type {
  AgentManifest,
  Attachment,
  CallTokens,
  Charge,
  Choice,
  Conflict,
  Contract,
  Enforcement,
  HoldCode,
  Message,
  MessageTarget,
  Outcome,
  Parked,
  PullRequest,
  Receipt,
  ToolApproval,
  Usage,
} from './model/index.ts';

/** An Action as planned, before its meaning is hashed. */
export type PlannedAction = Omit<NewAction, 'specHash'>;

/** Who asks. Authority comes from here, never from the payload (architecture, "Security posture"). */
export type Principal = Readonly<{ kind: 'user' | 'engine' | 'agent'; name: string }>;

/** The fence of an owner: it must still hold this Run at this epoch (D8). */
export type RunFence = Readonly<{ runId: string; epoch: number; owner: string }>;

/** How a Run ended, in the words of its owner or of the sweeper. */
export type Settlement =
  /** The executor's own outcome, with what the engine captured and measured. */
  | Readonly<{
      kind: 'outcome';
      outcome: Outcome;
      commit?: string;
      changedPaths: readonly string[];
      receipts: readonly Receipt[];
    }>
  /** Not the executor's doing: shutdown, lost preparation, an exhausted quota. Charges nothing (D12). */
  | Readonly<{ kind: 'interrupted'; code: string; error: string; park?: Parked }>;

/** The fence of a Coordinator turn: its owner must still hold it at this epoch (D21). */
export type TurnFence = Readonly<{ turnId: string; epoch: number; owner: string }>;

/** Who makes a model request. */
export type CallFence = Readonly<{ kind: 'run'; run: RunFence } | ({ kind: 'turn' } & TurnFence)>;

/**
 * What the Coordinator may decide (D19); several that fit together may come in one turn. It states intent: ids, proof
 * and outputs are the engine's to know (D18).
 */
export type Decision = Readonly<
  | { kind: 'answer' }
  | { kind: 'create_actions'; actions: readonly PlannedAction[]; supersede: readonly string[] }
  | { kind: 'guide_actions'; guidance: readonly { readonly actionId: string; readonly instruction: string }[] }
  | { kind: 'close_actions'; closures: readonly { readonly actionId: string; readonly reason: string }[] }
  | { kind: 'request_human'; question: string; options: readonly string[] }
  | { kind: 'propose_contract'; contract: Contract }
  | { kind: 'complete'; summary: string; residualRisks: readonly string[] }
>;

/** Why the sweeper believes an owner is gone. */
export type Death = 'lease_expired' | 'engine_died' | 'engine_stopped' | 'machine_rebooted';

type ToAction = { actionId: string; generation: number };
type ByOwner = { fence: RunFence };
/** What a person is asked when delivery met something only they can settle. */
type Blocked = { code: string; question: string; details: readonly string[] };

/**
 * What may be asked. Imperative; every fence is a field, checked in `decide`. Ids and instants arrive with the
 * context, so a command can be replayed with the same result.
 */
interface Commands {
  CreateItem: Omit<EventOf<'ItemCreated'>, 'type' | 'actions' | keyof Provenance> & {
    actions: readonly PlannedAction[];
    start: boolean;
  } & Partial<Provenance>;
  StartItem: unknown;
  HoldItem: { code: HoldCode; details: string };
  /** Take a runnable Action under a lease (chapter 1 §6). */
  Claim: ToAction & { runId: string; owner: string; leaseMs: number };
  /** The workspace is ready; the command starts when this has committed. */
  Dispatch: ByOwner & { base: string; enforcement: Enforcement; agent?: AgentManifest };
  Settle: ByOwner & { settlement: Settlement; usage: Usage };
  /** Sweeper: the lease of a Run has expired, or its owner is provably dead. */
  ExpireRun: { runId: string; epoch: number; death: Death };
  /** A Run that was taken from its owner ended after all: recorded and charged, and nothing else changes (D8). */
  RecordLate: { actionId: string; runId: string; summary: string; usage: Usage };
  /** The engine merged a completed result into the item branch, or could not. */
  RecordMerge: ToAction & { expectedHead: string; result: { kind: 'merged'; head: string } | Conflict };
  RecordSync: { expectedHead: string; head: string; targetHead: string };
  RecordPublish: { ref: string; commit: string };
  BlockDelivery: Blocked;
  RecordPullRequest: { pull: PullRequest };
  BeginLanding: { commit: string };
  SettleLanding: { epoch: number; result: LandingEnd };
  /** A Coordinator turn, when one is owed (D17); `epoch` is that of the owner's lease on `turn:<item>`. */
  OpenTurn: TurnFence;
  /** Goes on with the turn of an owner that is gone. */
  AdoptTurn: TurnFence;
  Decide: TurnFence & { decisions: readonly Decision[]; reply: string; reason: string; title?: string };
  /** `counted` failures hold the item after three in a row; `permanent` ones at once (D17). */
  FailTurn: TurnFence & TurnFailure;
  PrepareCall: { fence: CallFence; callId: string; n: number; model: string } & Prepared;
  DispatchCall: ToCall;
  SettleCall: ToCall & { verdict: CallVerdict };
  /** A call that was dispatched by an owner who is gone. */
  MarkCallUnknown: ToCall;
  /** Usage that became known after all. */
  CorrectCall: { callId: string; charge: Charge; tokens: CallTokens };
  /** A tool call that acts outside: on the ledger before it happens (O2); `grant`: the leave that it uses. */
  BeginOperation: ByOwner & { operationId: string; what: string; tool: string; grant?: string };
  EndOperation: ByOwner & { operationId: string; effect: 'applied' | 'not_applied' | 'unknown' };
  /** Leave for one call; the Run keeps lease and process, and gives its slot back (D16). */
  AskApproval: ByOwner & { approval: Omit<ToolApproval, 'kind' | 'actionId' | 'generation'>; risk: string };
  UseGrant: ByOwner & { key: string };
  /** Takes a slot again after an approval was answered. */
  WakeRun: ByOwner;
  /** User only, like all below. A message to the Coordinator or an Action (D14, D15). */
  PostMessage: { target: MessageTarget; generation?: number } & Omit<Message, 'id'>;
  ResolveOperation: { operationId: string; effect: 'applied' | 'not_applied'; reason: string };
  /** A whole new contract against the version that was read (D20, FENCE-4). */
  EditContract: { contractVersion: number; contract: Contract };
  /** Another generation for a waiting, failed or completed Action (D15). */
  RetryAction: ToAction & { guidance?: string };
  /** Restart an unfinished Action with guidance; a running Run is superseded, its work kept (D15). */
  RedirectAction: ToAction & { guidance: string };
  CloseAction: ToAction & { reason: string; cascade: boolean };
  AnswerRequest: { requestId: string; choice: Choice; text: string; attachments?: readonly Attachment[] };
  AskVerification: unknown;
  StopItem: { reason: string };
  ReopenItem: unknown;
  ResumeItem: { controlVersion: number };
  ExtendBudget: { controlVersion: number } & Extension;
}

/** What is added to each limit (D28). */
export type Extension = Partial<
  Record<'wallClockSec' | 'attempts' | 'requests' | 'tokens' | 'runRequests' | 'costMicros', number>
>;

type TurnFailure = {
  code: string;
  error: string;
  counted: boolean;
  permanent: boolean;
  park?: Parked;
  /** A call whose answer was lost: a person says whether to ask again (D11). */
  lostCall?: string;
};
type ToCall = { fence: CallFence; callId: string };
/** `messages`: how many of the Action's messages the request carries. */
type Prepared = { requestHash: string; estimate: Charge; messages: number };

type LandingEnd =
  | { kind: 'landed' }
  | { kind: 'not_landed'; code: string; detail: string }
  | ({ kind: 'blocked' } & Blocked);

export type CommandType = keyof Commands;
export type CommandOf<T extends CommandType> = T extends CommandType ? Readonly<{ type: T } & Commands[T]> : never;
export type CommandBody = CommandOf<CommandType>;

export interface Command {
  readonly itemId: string;
  readonly principal: Principal;
  readonly body: CommandBody;
  /** Repeating a submission with this key returns the first result (chapter 4 §11). */
  readonly idempotencyKey?: string;
}

/** A lease row as the door read it. `expiresAt` in epoch milliseconds. */
export type LeaseRow = Readonly<{ resource: string; owner: string; epoch: number; expiresAt: number }>;

/** One holder of a directory that nothing isolates (D29). */
export type HoldRow = Readonly<{ key: string; mode: 'read' | 'write'; itemId: string; runId: string }>;

/** Cross-item rows a command needs; the door reads them in the transaction that writes. */
export type Resources = Readonly<{ lease?: string; holdKey?: string; concurrency?: boolean; day?: boolean }>;

export interface Facts {
  readonly lease?: LeaseRow;
  readonly holds: readonly HoldRow[];
  /** Item whose writer waits for this directory: new readers stand back. */
  readonly holdWaiter?: string;
  /** Idle Runs hold no slot. */
  readonly liveRuns: { readonly total: number; readonly ofOwner: number; readonly ownerAlone: boolean };
  /** What all items were charged since `startsAt`, the midnight (UTC) before now. */
  readonly day: { readonly tokens: number; readonly costMicros: number };
}

export const NO_FACTS: Facts = Object.freeze({
  holds: [],
  liveRuns: { total: 0, ofOwner: 0, ownerAlone: false },
  day: { tokens: 0, costMicros: 0 },
});

/** What an installation allows (D26); null means no limit. */
export interface Policy {
  /** Live Runs at the same time, over all items of the store. */
  readonly concurrency: number;
  readonly dailyTokens: number | null;
  readonly dailyCostMicros: number | null;
}

/** Everything `decide` may know beyond state and command. No clock, no randomness behind it. */
export interface Context {
  readonly now: number;
  /** Lower-case hexadecimal SHA-256 of a UTF-8 text. */
  readonly hash: (text: string) => string;
  readonly facts: Facts;
  readonly policy: Policy;
}

/** Writes beside the events, applied in the same transaction. Never read by `evolve`. */
export type SideWrite = Readonly<
  | { kind: 'lease_put'; lease: LeaseRow; itemId: string; runId: string; alone: boolean }
  | { kind: 'lease_drop'; resource: string; epoch: number }
  /** An idle Run keeps its lease and counts in no slot. */
  | { kind: 'lease_idle'; resource: string; epoch: number; idle: boolean }
  /** Adds to the counters of the UTC day that holds `at`. */
  | { kind: 'day_charge'; at: number; tokens: number; costMicros: number }
  | { kind: 'hold_put'; hold: HoldRow }
  | { kind: 'hold_drop'; runId: string }
  | { kind: 'hold_wait' | 'hold_unwait'; key: string; itemId: string }
>;
