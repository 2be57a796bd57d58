import type { EventOf, NewAction } from './event.ts';
import type { Choice, Conflict, Contract, Enforcement, HoldCode, Outcome, Receipt, Usage } from './model/index.ts';

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
  /** Not the executor's doing: shutdown, lost preparation, a busy workspace. Charges nothing (D12). */
  | Readonly<{ kind: 'interrupted'; code: string; error: string }>;

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
  CreateItem: Omit<EventOf<'ItemCreated'>, 'type' | 'actions'> & { actions: readonly PlannedAction[]; start: boolean };
  StartItem: unknown;
  HoldItem: { code: HoldCode; details: string };
  /** Take a runnable Action under a lease (chapter 1 §6). */
  Claim: ToAction & { runId: string; owner: string; leaseMs: number };
  /** The workspace is ready; the command starts when this has committed. */
  Dispatch: ByOwner & { base: string; enforcement: Enforcement };
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
  BeginLanding: { commit: string };
  SettleLanding: { epoch: number; result: LandingEnd };
  /** User only, like all below. A whole new contract against the version that was read (D20, FENCE-4). */
  EditContract: { contractVersion: number; contract: Contract };
  /** Another generation for a waiting, failed or completed Action (D15). */
  RetryAction: ToAction & { guidance?: string };
  /** Restart an unfinished Action with guidance; a running Run is superseded, its work kept (D15). */
  RedirectAction: ToAction & { guidance: string };
  CloseAction: ToAction & { reason: string; cascade: boolean };
  AnswerRequest: { requestId: string; choice: Choice; text: string };
  AskVerification: unknown;
  StopItem: { reason: string };
  ReopenItem: unknown;
  ResumeItem: { controlVersion: number };
  ExtendBudget: { controlVersion: number; wallClockSec?: number; attempts?: number };
}

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
export type Resources = Readonly<{ lease?: string; holdKey?: string; concurrency?: boolean }>;

export interface Facts {
  readonly lease?: LeaseRow;
  readonly holds: readonly HoldRow[];
  /** Item whose writer waits for this directory: new readers stand back. */
  readonly holdWaiter?: string;
  readonly liveRuns: { readonly total: number; readonly ofOwner: number; readonly ownerAlone: boolean };
}

export const NO_FACTS: Facts = Object.freeze({ holds: [], liveRuns: { total: 0, ofOwner: 0, ownerAlone: false } });

/** Everything `decide` may know beyond state and command. No clock, no randomness behind it. */
export interface Context {
  readonly now: number;
  /** Lower-case hexadecimal SHA-256 of a UTF-8 text. */
  readonly hash: (text: string) => string;
  readonly facts: Facts;
  readonly policy: { readonly concurrency: number };
}

/** Writes beside the events, applied in the same transaction. Never read by `evolve`. */
export type SideWrite = Readonly<
  | { kind: 'lease_put'; lease: LeaseRow; itemId: string; runId: string; alone: boolean }
  | { kind: 'lease_drop'; resource: string; epoch: number }
  | { kind: 'hold_put'; hold: HoldRow }
  | { kind: 'hold_drop'; runId: string }
  | { kind: 'hold_wait' | 'hold_unwait'; key: string; itemId: string }
>;
