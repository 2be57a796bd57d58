import { expect, it } from 'vitest';
import { askServer, type Server } from '../../src/cli/server/server.ts';
import type { Answer, ClientProblem, WorkCenterClient } from '../../src/client/index.ts';

const client = {} as WorkCenterClient;
const own: Server = { client, isRemote: false };
const elsewhere: Server = { client, isRemote: true };

const problem = (status: number, code: string): Answer<string> => ({
  problem: { status, code, detail: 'No.' } satisfies ClientProblem,
});
const done: Answer<string> = { data: 'done', etag: null, status: 200 };

/** Answers one after the other; how often it was asked. */
function answering(...answers: readonly Answer<string>[]) {
  let asked = 0;
  const send = async (): Promise<Answer<string>> => {
    const answer = answers[asked] ?? done;
    asked += 1;
    return answer;
  };
  return { send, asked: () => asked };
}

it('asks once more where the connection broke, and then leaves it to the store of this machine', async () => {
  const lost = problem(0, 'connection_lost');
  const once = answering(lost, done);
  expect(await askServer(own, once.send)).toEqual({ type: 'said', data: 'done' });
  const twice = answering(lost, lost, done);
  expect(await askServer(own, twice.send)).toBeUndefined();
  expect([once.asked(), twice.asked()]).toEqual([2, 2]);
  expect(await askServer(elsewhere, answering(lost, lost).send)).toMatchObject({ code: 'connection_lost', exit: 7 });
});

it.each([
  [0, 'unreachable'],
  [400, 'invalid_request'],
  [401, 'token_invalid'],
  [403, 'scope_too_small'],
  [409, 'cannot_create'],
  [429, 'rate_limited'],
  [503, 'store_busy'],
])('leaves it to the store of this machine where the server decided nothing: %i %s', async (status, code) => {
  expect(await askServer(own, answering(problem(status, code)).send)).toBeUndefined();
  expect(await askServer(elsewhere, answering(problem(status, code)).send)).toMatchObject({ type: 'failure', code });
});

it.each([
  [403, 'user_required', 3],
  [404, 'action_not_found', 4],
  [409, 'contract_version_stale', 3],
  [422, 'invalid_contract', 2],
])('takes what the engine decided for its answer: %i %s', async (status, code, exit) => {
  expect(await askServer(own, answering(problem(status, code)).send)).toMatchObject({ type: 'failure', code, exit });
});

it('leaves to the store what HTTP cannot say, and refuses it where that is elsewhere', async () => {
  expect(await askServer(own, () => undefined)).toBeUndefined();
  expect(await askServer(elsewhere, () => undefined)).toMatchObject({ code: 'needs_local_store' });
});
