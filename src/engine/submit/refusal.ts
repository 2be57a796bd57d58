import type { Rejection, RejectionCode } from '../../core/index.ts';

/** `uncommitted_work`: the one refusal of a directory to which a person may answer with a choice (D30). */
export type SubmitCode = RejectionCode | 'uncommitted_work';

/** Why no item was made: what the core refuses, and what the directory is refused for before the core is asked. */
export interface SubmitRefusal extends Omit<Rejection, 'code'> {
  readonly code: SubmitCode;
}
