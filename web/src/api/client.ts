import { type Answer, type ClientProblem, createClient } from '../../../src/client/index.ts';
import { recall } from '../shell/remember.ts';
import { learnClock } from '../shell/server-clock.ts';
import { wantToken } from '../shell/token-wanted.ts';

const token = recall('token');

/** Whatever was asked: when the server wants another token the shell asks the person for it. */
async function watched(request: Request): Promise<Response> {
  const askedAt = Date.now();
  const response = await fetch(request);
  learnClock(response, askedAt);
  if (response.status === 401)
    wantToken(
      await response
        .clone()
        .json()
        .catch(() => undefined),
    );
  return response;
}

/** The server that this page came from. On its own machine it may want no token. */
export const client = createClient({ url: location.origin, fetch: watched, ...(token === undefined ? {} : { token }) });

/** A refusal on its way through a promise; whatever shows it shows the problem. */
export class Refused extends Error {
  readonly problem: ClientProblem;
  constructor(problem: ClientProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** What was asked for; throws `Refused`, which queries and mutations keep as their error. */
export async function asked<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, problem } = await answer;
  if (problem) throw new Refused(problem);
  return data as T;
}

/** The problem behind an error, whatever was thrown. */
export function problemOf(error: unknown): ClientProblem {
  if (error instanceof Refused) return error.problem;
  return { code: 'page', status: 0, detail: error instanceof Error ? error.message : String(error) };
}
