import { type ActionState, type ItemState, isWriter } from '../model/index.ts';

export const actionById = (state: ItemState, id: string): ActionState | undefined =>
  state.actions.find((action) => action.id === id);

export const isVerify = (action: ActionState): boolean => action.spec.executor.kind === 'verify';

/** Ids of everything that depends on `id`, directly or not, in plan order. */
export function dependants(actions: readonly ActionState[], id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const action of actions) {
      if (!found.has(action.id) && action.spec.dependsOn.includes(next)) {
        found.add(action.id);
        queue.push(action.id);
      }
    }
  }
  return found;
}

/** Whether a completed result has to reach the item branch before others may build on it (D32). */
export const mustMerge = (state: ItemState, action: ActionState): boolean =>
  action.status === 'completed' &&
  state.contract.workspace === 'isolated' &&
  isWriter(action.spec) &&
  action.result?.commit !== undefined;

/** Merged, or nothing to merge. */
export const isMerged = (state: ItemState, action: ActionState): boolean =>
  !mustMerge(state, action) || action.merge.kind === 'merged';

/** A conflict that the branch has not moved past since: trying again would only repeat it. */
export const isConflicted = (state: ItemState, action: ActionState): boolean =>
  mustMerge(state, action) && action.merge.kind === 'conflict' && action.merge.seq > state.branch.writeSeq;

/**
 * Whether `id` no longer stands in the way of `dependant` (D1, D2): completed and merged, or closed.
 * An integrate Action exists to resolve conflicts, so a conflicted result is no obstacle to it.
 */
export function isSatisfied(state: ItemState, id: string, dependant: ActionState): boolean {
  const action = actionById(state, id);
  if (!action) return false;
  if (action.status === 'closed') return true;
  if (action.status !== 'completed') return false;
  if (isMerged(state, action)) return true;
  return dependant.spec.workspace === 'integrate' && isConflicted(state, action);
}
