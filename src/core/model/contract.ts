/**
 * What a person asked for, and how they will know it is met.
 * A contract is a person's: only a user principal changes it (D20). `contractVersion` counts its changes (D5).
 */

/** Bounds of a contract (D6). */
export const CONTRACT_LIMITS = Object.freeze({
  criteriaMax: 24,
  criterionChars: 2_000,
  goalChars: 8_000,
  titleChars: 200,
  checkTimeoutMaxSec: 3_600,
});

/** What a sandboxed command may reach: nothing, its own private loopback, or everything. */
export type Network = 'none' | 'loopback' | 'all';

/** How strong a proof must at least be (D24). Weakest first. */
export const MIN_PROOFS = ['self', 'independent', 'machine', 'machine-protected'] as const;
export type MinProof = (typeof MIN_PROOFS)[number];

/** A command that the engine itself runs to decide a criterion (D23). */
export interface Check {
  readonly run: string;
  /** Relative to the project directory. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** 1..3600. */
  readonly timeoutSec: number;
  readonly expectExit: number;
  /** A regular expression that the output must match as well. */
  readonly expectOutput?: string;
  /** Globs restored from the base before the check runs. */
  readonly protect: readonly string[];
  readonly network: Network;
}

/** One sentence to prove. The id is stable (`c1`…); the version counts edits of this criterion alone (D6). */
export type Criterion = Readonly<{ id: string; version: number; text: string; check?: Check; minProof: MinProof }>;

/** What must run before checks and Actions: installing dependencies, usually (D23). */
export interface Setup {
  readonly run: string;
  /** Files whose content decides whether a cached result may be reused. */
  readonly inputs: readonly string[];
  readonly network: Network;
  readonly timeoutSec: number;
}

/** Where the result goes (D25). `branch` names the target of a merge. */
export type Delivery = Readonly<{ target: 'response' | 'workspace_files' | 'pull_request' | 'merge'; branch?: string }>;

/** Whether Actions work in clones of their own or in the directory itself (D29). */
export type WorkspacePolicy = 'isolated' | 'in-place';

export interface Contract {
  readonly title: string;
  readonly goal: string;
  readonly criteria: readonly Criterion[];
  readonly setup?: Setup;
  readonly delivery: Delivery;
  readonly instructions?: string;
  /** Canonical path of the project directory. */
  readonly directory: string;
  readonly workspace: WorkspacePolicy;
}

/** The state of the directory that all work starts from, recorded once at creation. */
export type Base =
  | {
      readonly kind: 'git';
      /** Commit the item branch starts at; a private snapshot when the tree was dirty (D30). */
      readonly commit: string;
      /** The user's clean commit beneath a snapshot; equal to `commit` otherwise. */
      readonly cleanCommit: string;
      readonly branch?: string;
      readonly topLevel: string;
      readonly gitDir: string;
      /** Project directory inside the repository; '' at its top. */
      readonly subdirectory: string;
    }
  | { readonly kind: 'plain'; readonly contentHash: string };
