import type { Contract } from './contract.ts';

/** Who caused a turn: only a person's words give it the right to propose a contract (D20). */
export type TurnOrigin = 'user' | 'automatic';

/**
 * One Coordinator turn at a time, stored with its fence (D21): what it saw is what its decision is judged against.
 */
export interface OpenTurn {
  readonly id: string;
  readonly origin: TurnOrigin;
  /** The owner's lease on `turn:<item>`; a new owner adopts the turn under a higher epoch. */
  readonly epoch: number;
  readonly owner: string;
  /** Everything up to this event was seen. */
  readonly openedSeq: number;
  readonly contractVersion: number;
  /** Generation of each Action it saw. */
  readonly generations: Readonly<Record<string, number>>;
}

export interface CoordinatorState {
  /** Turns that were opened. */
  readonly turns: number;
  /** Epoch of the last owner: only grows. */
  readonly epoch: number;
  readonly turn?: OpenTurn;
  /** Consecutive failures; a decision and a reopening set it to zero (D17). */
  readonly failures: number;
  /** Not before this instant, whoever speaks (D17). */
  readonly retryAt: number;
  /** The newest event that asks for a decision. */
  readonly factSeq: number;
  readonly decidedThroughSeq: number;
  /** Turns in a row that brought nothing new, and the most criteria that were ever proven at a decision. */
  readonly dryTurns: number;
  readonly bestProven: number;
}

export const COORDINATOR_LIMITS = Object.freeze({
  failures: 3,
  dryTurns: 3,
  actionsPerDecision: 8,
  replyChars: 8_000,
  reasonChars: 2_000,
  rationaleMinChars: 20,
  risks: 24,
  options: 8,
});

/** What completes an item beyond its proof: the Coordinator's words (D18). */
export interface Completion {
  readonly summary: string;
  readonly residualRisks: readonly string[];
  readonly seq: number;
}

/** A change of the contract that a person has to confirm (D20). */
export type Proposal = Readonly<{ baseVersion: number; contract: Contract; changed: readonly string[] }>;
