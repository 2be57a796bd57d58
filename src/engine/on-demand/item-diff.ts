import type { ItemState } from '../../core/index.ts';
import { openEngineRepository } from '../../workspace/engine-repository/engine-repository.ts';
import { type DiffText, diffText } from '../../workspace/git/diff.ts';
import type { World } from '../world.ts';

export interface DiffRequest {
  /** Only what this Action's last completed Run changed. */
  readonly actionId?: string;
  readonly maxBytes?: number;
}

export type ItemDiff =
  | ({ readonly kind: 'diff'; readonly from: string; readonly to: string } & DiffText)
  /** In place, never prepared, or nothing captured yet. */
  | { readonly kind: 'nothing'; readonly why: string };

/** The two commits that a request compares. */
async function ends(world: World, state: ItemState, actionId?: string): Promise<readonly [string, string] | string> {
  if (state.base.kind !== 'git') return 'The directory is not a git repository.';
  if (actionId === undefined) return [state.base.commit, state.branch.head];
  const action = state.actions.find((candidate) => candidate.id === actionId);
  if (!action) return `There is no Action ${actionId}.`;
  const { result } = action;
  if (result?.commit === undefined) return `Action ${actionId} has no captured result.`;
  const runs = await world.store.runs(state.id, { actionId });
  const run = runs.find((candidate) => candidate.runId === result.runId);
  return [run?.base ?? state.base.commit, result.commit];
}

/** What an item, or one of its Actions, changed so far. */
export async function itemDiff(world: World, state: ItemState, request: DiffRequest = {}): Promise<ItemDiff> {
  const pair = await ends(world, state, request.actionId);
  if (typeof pair === 'string') return { kind: 'nothing', why: pair };
  const repo = await openEngineRepository({ gitDir: world.home.repository(state.id), itemId: state.id });
  if (!repo) return { kind: 'nothing', why: 'No work has begun.' };
  const [from, to] = pair;
  const options = request.maxBytes === undefined ? {} : { maxBytes: request.maxBytes };
  return { kind: 'diff', from, to, ...(await diffText(repo, from, to, options)) };
}
