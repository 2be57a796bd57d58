/**
 * A question to a person that blocks a named thing and is answered once, by a user principal (D16).
 *
 * | Subject              | Opened when                                    | Choices                    |
 * | -------------------- | ---------------------------------------------- | -------------------------- |
 * | action_failed        | an Action is out of attempts or failed          | retry · close · stop        |
 * | action_waiting       | an executor asked a question                    | free text                   |
 * | merge_conflict       | two results touch the same lines                | retry · close · stop        |
 * | verification_failed  | the engine's check refused a criterion          | retry · verify · stop       |
 * | verification_error   | the checks could not be run                     | verify · stop               |
 * | proof_missing        | everything ran, a criterion has no fresh proof  | retry · stop                |
 * | operation_unknown    | an external effect may or may not have happened | applied · not_applied · stop |
 * | replan               | a contract edit superseded Actions              | retain · close · stop       |
 * | delivery_blocked     | publishing or landing needs a person            | retry · branch_only · stop  |
 */
export type RequestSubject =
  | { readonly kind: 'action_failed'; readonly actionId: string }
  | { readonly kind: 'action_waiting'; readonly actionId: string }
  | { readonly kind: 'merge_conflict'; readonly actionId: string }
  | { readonly kind: 'verification_failed'; readonly actionId: string }
  | { readonly kind: 'verification_error'; readonly actionId: string }
  | { readonly kind: 'proof_missing' }
  | { readonly kind: 'operation_unknown'; readonly operationId: string }
  | { readonly kind: 'replan' }
  | { readonly kind: 'delivery_blocked'; readonly code: string };

export type RequestKind = 'question' | 'approval' | 'confirmation' | 'recovery';

/** What may be answered. `text` stands for free words where there is no choice. */
export type Choice =
  | 'retry'
  | 'close'
  | 'stop'
  | 'verify'
  | 'retain'
  | 'branch_only'
  | 'applied'
  | 'not_applied'
  | 'text';

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
