import type { Network } from './contract.ts';
import type { Completed, Outcome, Receipt, Usage } from './outcome.ts';

/**
 * Action states (D10).
 *
 * | State      | Who moves it there                | What is true                                            |
 * | ---------- | --------------------------------- | ------------------------------------------------------- |
 * | ready      | creation, retry, retryable result | has attempts left; claimable once its gates open (D1)   |
 * | running    | Claim                             | exactly one live Run with the current epoch             |
 * | waiting    | outcome `waiting`                 | a person owes an answer                                 |
 * | completed  | outcome `completed`               | `result` holds the proof-carrying Run                   |
 * | failed     | permanent or exhausted outcome    | its dependants wait; the decider was told               |
 * | closed     | Close                             | counts as satisfied for dependants, proves nothing (D2) |
 * | superseded | contract edit, replan             | only `retain` brings it back                            |
 * | cancelled  | Stop                              | only Reopen brings it back                              |
 */
export type ActionStatus = Unfinished | Retired | 'completed' | 'closed';
export type Unfinished = 'ready' | 'running' | 'waiting' | 'failed';
export type Retired = 'superseded' | 'cancelled';

/** Run states (D10). Everything but `running` is terminal and immutable. */
export type RunStatus = 'running' | Outcome['kind'] | Retired | 'interrupted' | 'unknown';

/** How an Action may touch files (D29). */
export type WorkspaceMode = 'read' | 'shared' | 'isolated-write' | 'integrate';

/** Who carries the Action out. */
export type ExecutorSpec =
  | {
      readonly kind: 'command';
      /** A shell line, or an argument vector that no shell reads. */
      readonly run: string | readonly string[];
      /** Whose work this is when independence is judged; the program's name by default. */
      readonly identity: string;
    }
  | {
      readonly kind: 'verify';
      /** Event that last moved the item branch when this verification was commissioned. */
      readonly writeSeq: number;
    };

export interface SandboxSpec {
  readonly network: Network;
  /** Extra paths outside the workspace that the command may read. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export type Brief = Readonly<{ objective: string; approach?: string; expectedOutcome?: string }>;

/** The semantic specification of an Action: what is hashed for its identity (D7). */
export interface ActionSpec {
  readonly type: string;
  readonly name: string;
  readonly brief: Brief;
  /** Criterion ids this Action is for. */
  readonly for: readonly string[];
  readonly dependsOn: readonly string[];
  readonly workspace: WorkspaceMode;
  readonly executor: ExecutorSpec;
  /** `external`: dispatched once, never repeated automatically (D11). */
  readonly effects: 'none' | 'external';
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSec: number;
  /** No output for this long ends the Run with a named cause; 0 turns the watchdog off. */
  readonly silenceSec: number;
  readonly maxAttempts: number;
  readonly sandbox: SandboxSpec;
}

export const ACTION_LIMITS = Object.freeze({
  perItem: 64,
  maxAttempts: 5,
  timeoutMaxSec: 86_400,
  guidanceChars: 8_000,
  /** Crash suspicions after which an Action runs alone (D12). */
  suspicionsBeforeAlone: 2,
});

/** What the sandbox really enforced for a Run; honest where it did not. */
export interface Enforcement {
  readonly sandbox: 'bubblewrap' | 'none';
  /** Read-only and hidden paths hold. */
  readonly filesystem: boolean;
  /** `loopback` and `none` hold. */
  readonly network: boolean;
  /** All descendants live in one PID namespace and die with the engine. */
  readonly processes: boolean;
  /** What is not enforced, and why; a sentence for a person. */
  readonly reason?: string;
}

/** A live Run as the aggregate knows it; ended ones live in the `runs` table only. */
export interface LiveRun {
  readonly id: string;
  readonly actionId: string;
  readonly generation: number;
  readonly specHash: string;
  readonly epoch: number;
  readonly ordinal: number;
  readonly owner: string;
  /** Sequence of the claim: the instant from which this Run sees the world. */
  readonly startedSeq: number;
  readonly startedAt: number;
  /** Seconds this Run may take; smaller than the specification when the budget is nearly spent. */
  readonly timeLimitSec: number;
  readonly alone: boolean;
  /** Commit (or content hash) the Run was given; null before its workspace was ready. */
  readonly base: string | null;
  readonly dispatched: boolean;
  readonly enforcement?: Enforcement;
}

/** The last ended Run of an Action: resume data for the next attempt, and what the page shows. */
export interface EndedRun extends Pick<LiveRun, 'id' | 'generation' | 'ordinal' | 'dispatched'> {
  readonly status: Exclude<RunStatus, 'running'>;
  readonly code?: string;
  readonly summary: string;
  readonly error?: string;
  readonly endedSeq: number;
  readonly receipts: readonly Receipt[];
}

/** A completed generation: what dependants and the goal state build on. */
export interface ActionResult {
  readonly runId: string;
  readonly startedSeq: number;
  readonly settledSeq: number;
  readonly outcome: Completed;
  /** The captured commit; equal to the base when nothing was written. */
  readonly commit?: string;
  readonly changedPaths: readonly string[];
}

/** How a completed isolated result relates to the item branch (D32). */
export type MergeState = Readonly<
  { kind: 'none' } | { kind: 'merged'; head: string; seq: number } | (Conflict & { seq: number })
>;
export type Conflict = Readonly<{ kind: 'conflict'; paths: readonly string[]; ours: string; theirs: string }>;

export interface ActionState {
  readonly id: string;
  /** Position in the item, from 1. */
  readonly ordinal: number;
  readonly spec: ActionSpec;
  readonly specHash: string;
  readonly generation: number;
  readonly status: ActionStatus;
  readonly contractVersion: number;
  /** Ended outcomes of dispatched Runs over the Action's whole life (D12). */
  readonly attempts: number;
  /** Attempts a person added beyond the plan's bound. */
  readonly grantedAttempts: number;
  readonly runs: number;
  readonly leaseEpoch: number;
  readonly runId?: string;
  readonly suspicions: number;
  readonly readyAt: number;
  readonly guidance: readonly string[];
  readonly result?: ActionResult;
  readonly merge: MergeState;
  readonly lastRun?: EndedRun;
  readonly closeReason?: string;
  readonly failureCode?: string;
  readonly usage: Usage;
}

/** Status groups used by the rules. */
export const isUnfinished = (status: ActionStatus): status is Unfinished =>
  status === 'ready' || status === 'running' || status === 'waiting' || status === 'failed';

/** Whether an Action may change files: everything but `read` and the engine's own verification. */
export const isWriter = (spec: ActionSpec): boolean => spec.workspace !== 'read' && spec.executor.kind !== 'verify';
