import type { NewAction } from './event.ts';
import type { Enforcement } from './model/action.ts';
import type { Base, Contract } from './model/contract.ts';
import type { HoldCode, Limits, Plan } from './model/item.ts';
import type { Outcome, Receipt, Usage } from './model/outcome.ts';
import type { Choice } from './model/request.ts';

/** Who asks. Authority comes from here, never from the payload (architecture, "Security posture"). */
export interface Principal {
  readonly kind: 'user' | 'engine' | 'agent';
  readonly name: string;
}

/** The fence of an owner: it must still hold this Run at this epoch (D8). */
export interface RunFence {
  readonly runId: string;
  readonly epoch: number;
  readonly owner: string;
}

/** How a Run ended, in the words of its owner or of the sweeper. */
export type Settlement =
  /** The executor's own outcome, with what the engine captured and measured. */
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      readonly commit?: string;
      readonly changedPaths: readonly string[];
      readonly receipts: readonly Receipt[];
    }
  /** Not the executor's doing: shutdown, lost preparation, a busy workspace. Charges nothing (D12). */
  | { readonly kind: 'interrupted'; readonly code: string; readonly error: string };

/** Why the sweeper believes an owner is gone. */
export type Death = 'lease_expired' | 'engine_died' | 'engine_stopped' | 'machine_rebooted';

/**
 * What may be asked. Imperative; every fence is a field, checked in `decide`. Ids and instants arrive with the
 * context, so a command can be replayed with the same result.
 */
export type CommandBody =
  | {
      readonly type: 'CreateItem';
      readonly contract: Contract;
      readonly plan: Plan;
      readonly base: Base;
      readonly limits: Limits;
      readonly actions: readonly Omit<NewAction, 'specHash'>[];
      readonly start: boolean;
    }
  | { readonly type: 'StartItem' }
  /** User only. Whole new contract against the version that was read (D20, FENCE-4). */
  | { readonly type: 'EditContract'; readonly contractVersion: number; readonly contract: Contract }
  /** Take a runnable Action under a lease (chapter 1 §6). */
  | {
      readonly type: 'Claim';
      readonly actionId: string;
      readonly generation: number;
      readonly runId: string;
      readonly owner: string;
      readonly leaseMs: number;
    }
  /** The workspace is ready; the command starts when this has committed. */
  | { readonly type: 'Dispatch'; readonly fence: RunFence; readonly base: string; readonly enforcement: Enforcement }
  | { readonly type: 'Settle'; readonly fence: RunFence; readonly settlement: Settlement; readonly usage: Usage }
  /** Sweeper: the lease of a Run has expired, or its owner is provably dead. */
  | { readonly type: 'ExpireRun'; readonly runId: string; readonly epoch: number; readonly death: Death }
  /** The engine merged a completed result into the item branch, or could not. */
  | {
      readonly type: 'RecordMerge';
      readonly actionId: string;
      readonly generation: number;
      readonly expectedHead: string;
      readonly result:
        | { readonly kind: 'merged'; readonly head: string }
        | {
            readonly kind: 'conflict';
            readonly paths: readonly string[];
            readonly ours: string;
            readonly theirs: string;
          };
    }
  | { readonly type: 'RecordSync'; readonly expectedHead: string; readonly head: string; readonly targetHead: string }
  | { readonly type: 'RecordPublish'; readonly ref: string; readonly commit: string }
  /** Delivery met something only a person can settle. */
  | {
      readonly type: 'BlockDelivery';
      readonly code: string;
      readonly question: string;
      readonly details: readonly string[];
    }
  | { readonly type: 'BeginLanding'; readonly commit: string }
  | {
      readonly type: 'SettleLanding';
      readonly epoch: number;
      readonly result:
        | { readonly kind: 'landed' }
        | { readonly kind: 'not_landed'; readonly code: string; readonly detail: string }
        | {
            readonly kind: 'blocked';
            readonly code: string;
            readonly question: string;
            readonly details: readonly string[];
          };
    }
  /** User only, like all below. Another generation for a waiting, failed or completed Action (D15). */
  | { readonly type: 'RetryAction'; readonly actionId: string; readonly generation: number; readonly guidance?: string }
  /** Restart an unfinished Action with guidance; a running Run is superseded, its work kept (D15). */
  | {
      readonly type: 'RedirectAction';
      readonly actionId: string;
      readonly generation: number;
      readonly guidance: string;
    }
  | {
      readonly type: 'CloseAction';
      readonly actionId: string;
      readonly generation: number;
      readonly reason: string;
      readonly cascade: boolean;
    }
  | { readonly type: 'AnswerRequest'; readonly requestId: string; readonly choice: Choice; readonly text: string }
  | { readonly type: 'AskVerification' }
  | { readonly type: 'StopItem'; readonly reason: string }
  | { readonly type: 'ReopenItem' }
  | { readonly type: 'HoldItem'; readonly code: HoldCode; readonly details: string }
  | { readonly type: 'ResumeItem'; readonly controlVersion: number }
  | {
      readonly type: 'ExtendBudget';
      readonly controlVersion: number;
      readonly wallClockSec?: number;
      readonly attempts?: number;
    };

export type CommandType = CommandBody['type'];

export interface Command {
  readonly itemId: string;
  readonly principal: Principal;
  readonly body: CommandBody;
  /** Repeating a submission with this key returns the first result (chapter 4 §11). */
  readonly idempotencyKey?: string;
}

/** A lease row as the door read it. `expiresAt` in epoch milliseconds. */
export interface LeaseRow {
  readonly resource: string;
  readonly owner: string;
  readonly epoch: number;
  readonly expiresAt: number;
}

/** One holder of a directory that nothing isolates (D29). */
export interface HoldRow {
  readonly key: string;
  readonly mode: 'read' | 'write';
  readonly itemId: string;
  readonly runId: string;
}

/** Cross-item rows a command needs; the door reads them in the transaction that writes. */
export interface Resources {
  readonly lease?: string;
  readonly holdKey?: string;
  readonly concurrency?: boolean;
}

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
export type SideWrite =
  | {
      readonly kind: 'lease_put';
      readonly lease: LeaseRow;
      readonly itemId: string;
      readonly runId: string;
      readonly alone: boolean;
    }
  | { readonly kind: 'lease_drop'; readonly resource: string; readonly epoch: number }
  | { readonly kind: 'hold_put'; readonly hold: HoldRow }
  | { readonly kind: 'hold_drop'; readonly runId: string }
  | { readonly kind: 'hold_wait'; readonly key: string; readonly itemId: string }
  | { readonly kind: 'hold_unwait'; readonly key: string; readonly itemId: string };
