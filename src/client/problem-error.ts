import type { ClientProblem } from './answer.ts';

/** Thrown where a loop has no other way to say that it cannot go on, such as `followItem` for an item that is not there. */
export class ProblemError extends Error {
  readonly problem: ClientProblem;

  constructor(problem: ClientProblem) {
    super(`${problem.detail} (${problem.code})`);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}
