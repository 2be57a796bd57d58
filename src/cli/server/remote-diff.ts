import type { ItemDiff } from '../../engine/on-demand/item-diff.ts';
import type { LiveDiff } from '../../engine/on-demand/live-diff.ts';
import type { Failure } from '../answer.ts';
import { failureOfProblem } from './problem-failure.ts';
import type { Server } from './server.ts';

type Diff = Extract<ItemDiff, { kind: 'diff' }>;

/** What an item, or one of its Actions, changed so far, from a server elsewhere. */
export async function remoteDiff(
  { client }: Server,
  id: string,
  actionId: string | undefined,
): Promise<Diff | Failure> {
  const { data, problem } =
    actionId === undefined
      ? await client.get('/api/v1/work-items/{id}/diff', { params: { path: { id } } })
      : await client.get('/api/v1/work-items/{id}/actions/{actionId}/diff', { params: { path: { id, actionId } } });
  return problem ? failureOfProblem(problem) : { kind: 'diff', ...data };
}

/** What a running Action has changed so far, from a server elsewhere. */
export async function remoteLiveDiff({ client }: Server, id: string, actionId: string): Promise<LiveDiff | Failure> {
  const params = { path: { id, actionId } };
  const { data, problem } = await client.get('/api/v1/work-items/{id}/actions/{actionId}/workspace/diff', { params });
  return problem ? failureOfProblem(problem) : { kind: 'live', ...data };
}
