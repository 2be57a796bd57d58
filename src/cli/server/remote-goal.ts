import { isAbsolute } from 'node:path';
import { bad, type Failure, failure } from '../answer.ts';
import type { CoordinatorModel } from '../configuration.ts';
import { EXIT } from '../exit-codes.ts';
import { failureOfProblem } from './problem-failure.ts';
import type { Server } from './server.ts';

/** The directory of a new item on the machine of the server: where this shell stands says nothing about it. */
export function remoteDirectory(named: string | undefined, usual: string | undefined): string | Failure {
  const directory = named ?? usual ?? '';
  if (isAbsolute(directory)) return directory;
  return bad('--repo has to say where the project is on the machine of the server.', 'an absolute path', directory);
}

/** What the Coordinator would think with there, or why it could not. */
export async function remoteModel({ client }: Server): Promise<CoordinatorModel | Failure> {
  const answer = await client.get('/api/v1/models');
  if (answer.problem) return failureOfProblem(answer.problem);
  const { model, priced, problem } = answer.data.coordinator;
  if (model !== null) return { ref: model, priced };
  const { code = 'model_missing', ...more } = problem ?? {};
  return failure(EXIT.invalid, code, 'The Coordinator of that server has no model to think with.', more);
}
