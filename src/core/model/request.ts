import type { Proposal } from './coordinator.ts';

/**
 * A question to a person that blocks a named thing and is answered once, by a user principal (D16).
 *
 * | Subject              | Opened when                                              |
 * | -------------------- | -------------------------------------------------------- |
 * | action_failed        | an Action is out of attempts, failed, or refused a review |
 * | action_waiting       | an executor asked a question                             |
 * | merge_conflict       | two results touch the same lines                         |
 * | verification_failed  | the engine's check refused a criterion                   |
 * | verification_error   | the checks could not be run                              |
 * | proof_missing        | everything ran, a criterion has no fresh proof           |
 * | operation_unknown    | an external effect may or may not have happened          |
 * | replan               | Actions were taken out of the plan                       |
 * | delivery_blocked     | publishing or landing needs a person                     |
 * | coordinator_question | the Coordinator needs a fact that only a person has      |
 * | contract_proposal    | the Coordinator proposes another contract (D20)          |
 * | tool_approval        | a tool call needs leave before it acts (D16)             |
 * | call_unknown         | a Coordinator's model request was sent, its answer lost  |
 * | no_progress          | three turns in a row brought nothing new (D17)           |
 * | idle                 | a turn left nothing that could move (D17)                |
 */
export type RequestSubject = Readonly<
  | { kind: AboutAction; actionId: string }
  | { kind: 'operation_unknown'; operationId: string }
  | { kind: 'delivery_blocked'; code: string }
  | { kind: 'proof_missing' | 'replan' | 'no_progress' | 'idle' }
  | { kind: 'coordinator_question'; turnId: string }
  | { kind: 'contract_proposal'; proposal: Proposal }
  | ToolApproval
  | { kind: 'call_unknown'; callId: string }
>;

/**
 * What is to be done, where, and what a leave would cover: `key` names this very call, `pattern` all like it. `call` is
 * one line of it; `whole` is all of it, as a person has to see it before, and absent in what was asked by an old engine.
 */
export type ToolApproval = Readonly<{
  kind: 'tool_approval';
  actionId: string;
  generation: number;
  tool: string;
  call: string;
  whole?: string;
  directory: string;
  key: string;
  pattern: string;
}>;
export type SubjectKind = RequestSubject['kind'];

type AboutAction = 'action_failed' | 'action_waiting' | 'merge_conflict' | 'verification_failed' | 'verification_error';

export type RequestKind = 'question' | 'approval' | 'confirmation' | 'recovery';

/** What may be answered, where it makes sense then. `text` stands for free words where there is no choice. */
export const CHOICES = Object.freeze({
  action_failed: ['retry', 'close', 'stop'],
  action_waiting: ['text', 'close', 'stop'],
  merge_conflict: ['retry', 'close', 'stop'],
  verification_failed: ['retry', 'verify', 'stop'],
  verification_error: ['verify', 'stop'],
  proof_missing: ['retry', 'stop'],
  operation_unknown: ['applied', 'not_applied', 'stop'],
  replan: ['retain', 'close', 'stop'],
  delivery_blocked: ['retry', 'branch_only', 'response', 'stop'],
  coordinator_question: ['text', 'stop'],
  contract_proposal: ['confirm', 'reject'],
  tool_approval: ['approve', 'approve_pattern', 'deny', 'stop'],
  call_unknown: ['ask_again', 'stop'],
  no_progress: ['text', 'stop'],
  idle: ['text', 'stop'],
} as const);
export type Choice = (typeof CHOICES)[RequestSubject['kind']][number];

export interface HumanRequest {
  /** `r1`, `r2`… within the item. */
  readonly id: string;
  readonly kind: RequestKind;
  readonly subject: RequestSubject;
  readonly question: string;
  /** Facts a person needs: paths in conflict, the tail of a log, what was expected. */
  readonly details: readonly string[];
  readonly choices: readonly Choice[];
  /** Ready answers that the asker suggests; any words will do. */
  readonly options?: readonly string[];
  readonly openedAt: number;
}
