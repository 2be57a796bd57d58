import type { Network } from './contract.ts';
import type { Message } from './conversation.ts';
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
      /** The built-in agent, as a VP whose id is its identity when independence is judged. */
      readonly kind: 'agent';
      readonly vp: string;
      /** Why this VP: mode and score, for the record (chapter 2 §18.2). */
      readonly assigned: string;
      /** A model reference or tag that overrides the VP's and the settings'. */
      readonly model?: string;
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

/** What a Coordinator's Action is for, beyond criteria, and why it is commissioned now (D19). */
export interface Commission {
  /** Actions whose results are context; they gate nothing (D1). */
  readonly sources: readonly string[];
  /** Failed or waiting Actions that it is to unblock. */
  readonly unblocks: readonly string[];
  readonly forDelivery: boolean;
  readonly rationale: string;
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
  /** Present on what a Coordinator commissioned. */
  readonly commission?: Commission;
}

export const ACTION_LIMITS = Object.freeze({
  perItem: 64,
  maxAttempts: 5,
  timeoutMaxSec: 86_400,
  guidanceChars: 8_000,
  /** Crash suspicions after which an Action runs alone (D12). */
  suspicionsBeforeAlone: 2,
});

/** Types with a policy of their own; any other slug borrows that of `custom` (chapter 2 §2.1). */
export const ACTION_TYPES = [
  ...(['triage', 'research', 'design', 'diagnose', 'implement', 'migrate', 'test', 'review'] as const),
  ...(['integrate', 'document', 'operate', 'deliver', 'write', 'create_vp', 'custom'] as const),
] as const;

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
  /** Model requests it has dispatched. */
  readonly requests: number;
  /** How many of its Action's messages a model has answered with in this Run (D15). */
  readonly messagesHeard: number;
  /** It waits for a person's approval: no slot, no clock (D16). */
  readonly idle: boolean;
}

/** What ran, frozen into the Run when it is dispatched (chapter 3 §4.1). Bodies are content under the hashes. */
export interface AgentManifest {
  readonly vp: string;
  readonly vpHash: string;
  readonly model: string;
  readonly effort?: string;
  readonly tools: readonly string[];
  /** Permission rules, system prompt and Mainline as they were. */
  readonly policyHash: string;
  readonly systemHash: string;
  readonly contextHash: string;
  /** Sections that were cut or left out of the context. */
  readonly omitted: readonly string[];
  readonly contractVersion: number;
}

/** A person's leave for one call, whatever Run makes it (D16). `pattern`: for all calls like it. */
export type Grant = Readonly<{ key: string; pattern?: string }>;

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
  /** What a person wrote to this generation, in order. */
  readonly messages: readonly Message[];
  readonly grants: readonly Grant[];
  /** Approvals that were asked in this generation: the second may be given for a pattern. */
  readonly approvals: number;
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
