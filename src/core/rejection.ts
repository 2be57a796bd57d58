import type { SideWrite } from './command.ts';

/** What the address leads to does not exist, exists already, or cannot be read. */
type AddressCode = 'item_exists' | 'item_not_found' | 'item_quarantined' | AbsentCode;
type AbsentCode = 'action_not_found' | 'request_not_found' | 'operation_not_found';
/** A person's word has no one to go to, or a decision does not fit what is (D19, D20). */
type DecisionCode = 'no_decision_due' | 'invalid_decision' | 'no_coordinator' | 'cannot_receive' | 'messages_pending';
type PermissionCode = 'approval_needed';
/** Model calls and what limits them (D26). */
type CallCode = 'call_not_found' | 'budget_reserved' | 'run_requests_exhausted' | 'daily_limit' | 'unpriced_model';
/** The submission itself is wrong, or its principal may not make it. */
type SubmissionCode = 'user_required' | 'invalid_contract' | 'invalid_plan' | 'invalid_field' | 'choice_not_offered';
/** A fence that the caller read has moved on (D5, D8). */
type StaleCode = 'contract_version_stale' | 'generation_stale' | 'control_version_stale' | 'head_stale' | 'lease_lost';
/** Item, Action or Run is not in a state that allows it. */
type StateCode = 'not_runnable' | 'item_held' | 'item_not_open' | 'item_ended' | 'wrong_state' | 'nothing_changed';
type RunCode = 'lease_live' | 'already_dispatched' | 'not_dispatched' | 'budget_exhausted';
type DeliveryCode = 'landing_in_progress' | 'not_deliverable';
/** Others are in the way: trying again later may help. */
type BusyCode = 'concurrency_full' | 'workspace_busy' | 'must_run_alone' | 'store_busy' | 'idempotency_mismatch';

/** Stable codes, the same on every surface. */
export type RejectionCode =
  | (AddressCode | SubmissionCode | StaleCode | StateCode | RunCode | DeliveryCode | BusyCode)
  | (DecisionCode | PermissionCode | CallCode);

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

type More = Omit<Rejection, 'code' | 'message'>;

/** Short form for `decide`: code, sentence, and what else helps. */
export const reject = (code: RejectionCode, message: string, more: More = {}): Rejection => ({
  code,
  message,
  ...more,
});

export const isRejection = (value: unknown): value is Rejection =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value && !('type' in value);

/** Programmer errors only: a broken invariant is never an expected outcome. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence);
}
