import type { PathProblem } from '../../path-safety.ts';
import type { ToolOutput } from '../../tool.ts';

/** What went wrong, for the model: a stable word first, then a sentence that says what to do next. */
export function refused(code: string, message: string): ToolOutput {
  return { text: `${code}: ${message}`, isError: true };
}

export const refusedPath = (problem: PathProblem): ToolOutput => refused(problem.code, problem.message);
