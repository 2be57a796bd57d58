import type { ClientProblem } from '../../client/index.ts';
import { type Failure, failure } from '../answer.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

const exitOf = ({ code, status }: ClientProblem): ExitCode => {
  if (status === 404) return EXIT.notFound;
  if (status === 400 || status === 422) return EXIT.invalid;
  return status === 0 || status >= 500 || code === 'store_busy' ? EXIT.store : EXIT.refused;
};

/** What a server refused, in the words of a command. */
export function failureOfProblem(problem: ClientProblem): Failure {
  const { code, detail, expected, found, next } = problem;
  return failure(exitOf(problem), code, detail, {
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(next === undefined ? {} : { next }),
  });
}

/** The problem that a `ProblemError` of the client carries; looked for by its shape, so that the client is not loaded. */
export const problemIn = (error: unknown): ClientProblem | undefined =>
  error instanceof Error && error.name === 'ProblemError' && 'problem' in error
    ? (error.problem as ClientProblem)
    : undefined;
