import type { WorkspaceMode } from '../core/model/action.ts';
import type { Check, Delivery, MinProof, Setup } from '../core/model/contract.ts';
import type { CriterionClaim, Output } from '../core/model/outcome.ts';

/**
 * Everything that an executor with a model is told about its Action, as a plain value. The same value gives the same
 * bytes (`renderMainline`). All lists are in the order of time, oldest first, where nothing else is said.
 */
export interface MainlineInput {
  readonly contract: ContractView;
  readonly action: ActionView;
  readonly instructions: InstructionsView;
  /** Of the Actions that this one depends on or has as sources. */
  readonly results: readonly ResultView[];
  /** Every other Action that was not superseded. */
  readonly journal: readonly JournalEntry[];
  /** To this generation of this Action only (V36): guidance first, then what a person wrote. The last is the newest. */
  readonly messages: readonly MessageView[];
  /** How the attempt before ended; absent for the first one. */
  readonly resume?: ResumeView;
  readonly projectGuidance: readonly GuidanceView[];
  readonly background: readonly BackgroundView[];
  readonly memory: readonly MemoryView[];
  readonly attachments: readonly AttachmentView[];
  readonly redaction: Redaction;
}

/** What may not appear: literal secret values, and where on this machine the work lies. */
export interface Redaction {
  readonly secrets: readonly string[];
  /** Absolute directories whose paths are shown relative to them; other absolute paths are hidden in failure texts. */
  readonly roots: readonly string[];
}

export interface ContractView {
  readonly version: number;
  readonly goal: string;
  /** The person's, for this item. */
  readonly instructions?: string;
  readonly criteria: readonly CriterionView[];
  readonly setup?: Pick<Setup, 'run' | 'inputs' | 'network'>;
  readonly delivery: Delivery;
}

export interface CriterionView {
  readonly id: string;
  readonly version: number;
  readonly text: string;
  readonly check?: Pick<Check, 'run' | 'cwd' | 'expectExit' | 'expectOutput' | 'protect'>;
  readonly minProof: MinProof;
  readonly standing: 'passed' | 'failed' | 'stale' | 'weak' | 'unmet';
  /** Why it stands so, in our own words. */
  readonly why: string;
  /** What the deciding claim said: somebody else's words. */
  readonly evidence?: string;
}

export interface ActionView {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly objective: string;
  readonly approach?: string;
  readonly expectedOutcome?: string;
  readonly rationale?: string;
  /** Criterion ids. */
  readonly for: readonly string[];
  readonly unblocks: readonly string[];
  readonly forDelivery: boolean;
  readonly workspace: WorkspaceMode;
  readonly external: boolean;
  /** What the sandbox enforces: a sentence of ours. */
  readonly enforced?: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly timeLimitSec: number;
}

/** From the settings of the installation; 20,000 characters each at most. */
export interface InstructionsView {
  readonly global?: string;
  readonly forType?: string;
}

export interface ResultView {
  readonly actionId: string;
  readonly type: string;
  readonly relation: 'dependsOn' | 'source';
  /** `closed` counts as satisfied and proves nothing; any other state means that there is no result. */
  readonly status: string;
  /** The summary, or the reason why it was closed. */
  readonly summary: string;
  readonly claims: readonly CriterionClaim[];
  readonly outputs: readonly Output[];
  readonly review?: 'approved' | 'changes_requested';
}

export interface JournalEntry {
  readonly actionId: string;
  readonly type: string;
  readonly status: string;
  readonly for: readonly string[];
  readonly summary: string;
}

export interface MessageView {
  readonly id: string;
  readonly text: string;
  readonly quote?: { readonly from: string; readonly text: string };
  /** Names of attachments. */
  readonly attachments: readonly string[];
}

export interface ResumeView {
  /** Of the earlier Run, from 1. */
  readonly ordinal: number;
  readonly status: string;
  readonly code?: string;
  readonly error?: string;
  readonly summary: string;
  readonly receipts: readonly ReceiptView[];
  /** External effects of this Action that may or may not have happened. */
  readonly operations: readonly {
    readonly id: string;
    readonly what: string;
    readonly effect: 'pending' | 'unknown';
  }[];
}

export interface ReceiptView {
  readonly criterionId: string;
  readonly verdict: string;
  readonly command: string;
  readonly exitCode: number | null;
  readonly tail: string;
  /** Content hash of the whole log. */
  readonly logHash: string;
}

/** A file of the project that says how work is done there. */
export interface GuidanceView {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
  /** It was longer than what was read. */
  readonly cut: boolean;
}

export interface BackgroundView {
  readonly role: string;
  readonly text: string;
}

/** A result of an earlier done item in the same directory (D35). */
export interface MemoryView {
  readonly itemId: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly type: string;
  readonly summary: string;
}

export interface AttachmentView {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly hash: string;
}
