import type { AgentManifest, Enforcement, Lane, Lifecycle, Receipt, RunStatus, Usage } from '../core/index.ts';
import type { TalkChange } from './talk-rows.ts';

/** One event as it is stored: `data` is the JSON text of the body without its type. */
export interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
}

/** A folded state kept to bound a cold load. `format` names the shape of the state in `data`. */
export interface SnapshotRow {
  readonly version: number;
  readonly format: number;
  readonly data: string;
}

/** First result under an idempotency key. `firstSeq > lastSeq` when the command caused no event. */
export interface SubmissionRow {
  readonly key: string;
  readonly commandHash: string;
  readonly itemId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly at: number;
}

/** The head of a stream and what lists show of it; a pure function of the folded state. Flat, so that it is one row. */
export interface ItemRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly directory: string;
  readonly lifecycle: Lifecycle;
  readonly holdCode: string | null;
  readonly lane: Lane;
  readonly proven: number;
  readonly total: number;
  readonly openRequests: number;
  readonly running: number;
  readonly wallMs: number;
  readonly requests: number;
  readonly tokens: number;
  /** Money in millionths of a US dollar, of all requests whose model has a price. */
  readonly costMicros: number;
  /** Requests whose model has none. */
  readonly unpriced: number;
  /** 1 when every Run reported its own usage. */
  readonly metered: 0 | 1;
  readonly sentence: string;
  /** One letter for each criterion, in the order of the contract; empty in rows of older schemas that did not move since. */
  readonly marks: string;
  /** What it may cost, in millionths of a US dollar; null: no limit. */
  readonly costLimitMicros: number | null;
  readonly claimKey: number;
  /** Earliest instant at which the engine owes something; null when it owes nothing. */
  readonly dueAt: number | null;
}

/** What a search looks through; changes with the contract at most, so it is kept apart from the busy row. */
export interface ItemTextRow {
  readonly itemId: string;
  readonly title: string;
  readonly goal: string;
  /** The tool that created it (D37), and its session; empty for none. */
  readonly originClient: string;
  readonly originSession: string;
}

/** A Run over its whole life. `startedSeq` is the claim's event: unique in the item, and the order of Runs. */
export interface RunRow {
  readonly itemId: string;
  readonly runId: string;
  readonly actionId: string;
  readonly generation: number;
  readonly ordinal: number;
  readonly epoch: number;
  readonly owner: string;
  readonly status: RunStatus;
  readonly alone: boolean;
  readonly startedSeq: number;
  readonly startedAt: number;
  readonly dispatchedAt: number | null;
  readonly endedAt: number | null;
  readonly endedSeq: number | null;
  readonly base: string | null;
  readonly commit: string | null;
  readonly code: string | null;
  readonly summary: string;
  readonly error: string | null;
  readonly attemptCharged: boolean;
  readonly usage: Usage | null;
  readonly enforcement: Enforcement | null;
  /** What ran, when it was the built-in agent. */
  readonly agent: AgentManifest | null;
  readonly receipts: readonly Receipt[];
}

export interface RunKey {
  readonly itemId: string;
  readonly startedSeq: number;
}

export type RunDispatch = RunKey & Pick<RunRow, 'dispatchedAt' | 'base' | 'enforcement' | 'agent'>;

export type RunEnd = RunKey &
  Pick<
    RunRow,
    | 'status'
    | 'endedAt'
    | 'endedSeq'
    | 'commit'
    | 'code'
    | 'summary'
    | 'error'
    | 'attemptCharged'
    | 'usage'
    | 'receipts'
  >;

/** A change of the read tables. Applied in order, in the transaction that appends the events. */
export type RowChange =
  | { readonly kind: 'item_put'; readonly row: ItemRow }
  | { readonly kind: 'text_put'; readonly row: ItemTextRow }
  | { readonly kind: 'run_start'; readonly row: RunRow }
  | { readonly kind: 'run_dispatch'; readonly row: RunDispatch }
  | { readonly kind: 'run_end'; readonly row: RunEnd }
  | TalkChange
  | { readonly kind: 'lane_count'; readonly directory: string; readonly lane: Lane; readonly delta: 1 | -1 };
