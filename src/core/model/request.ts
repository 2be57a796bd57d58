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
 */
export type RequestSubject = Readonly<
  | { kind: AboutAction; actionId: string }
  | { kind: 'operation_unknown'; operationId: string }
  | { kind: 'delivery_blocked'; code: string }
  | { kind: 'proof_missing' | 'replan' }
>;
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
  delivery_blocked: ['retry', 'branch_only', 'stop'],
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
  readonly openedAt: number;
}
