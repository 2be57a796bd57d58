import type { SideWrite } from './command.ts';

/** Stable codes, the same on every surface. */
export type RejectionCode =
  | 'item_exists'
  | 'item_not_found'
  | 'action_not_found'
  | 'request_not_found'
  | 'user_required'
  | 'invalid_contract'
  | 'invalid_plan'
  | 'invalid_field'
  | 'contract_version_stale'
  | 'generation_stale'
  | 'control_version_stale'
  | 'head_stale'
  | 'lease_lost'
  | 'lease_live'
  | 'not_runnable'
  | 'item_held'
  | 'item_not_open'
  | 'item_ended'
  | 'wrong_state'
  | 'already_dispatched'
  | 'not_dispatched'
  | 'attempts_exhausted'
  | 'concurrency_full'
  | 'workspace_busy'
  | 'must_run_alone'
  | 'budget_exhausted'
  | 'landing_in_progress'
  | 'not_deliverable'
  | 'choice_not_offered'
  | 'nothing_changed'
  | 'idempotency_mismatch'
  | 'item_quarantined'
  | 'store_busy';

/** A refusal: what was expected, what was found, what to do next. A value, never thrown by the core. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  readonly next?: string;
  /** Side rows that even a refusal leaves behind, such as a writer's place in the queue (TX-5). */
  readonly writes?: readonly SideWrite[];
}

/** Short form for `decide`: code, sentence, and what else helps. */
export const reject = (
  code: RejectionCode,
  message: string,
  more: Omit<Rejection, 'code' | 'message'> = {},
): Rejection => ({ code, message, ...more });

export const isRejection = (value: unknown): value is Rejection =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value && !('type' in value);

/** Programmer errors only: a broken invariant is never an expected outcome. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence);
}
