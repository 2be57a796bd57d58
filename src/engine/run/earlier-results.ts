import type { ActionState, ItemState } from '../../core/index.ts';
import type { EarlierResult } from '../../executors/executor.ts';

/** What an Action's dependencies left: a summary, or the reason why one was stepped over (D2). */
export function earlierResults(state: ItemState, action: ActionState): readonly EarlierResult[] {
  return action.spec.dependsOn.flatMap((id): readonly EarlierResult[] => {
    const before = state.actions.find((other) => other.id === id);
    if (before?.status === 'closed')
      return [{ actionId: id, how: 'closed', words: before.closeReason ?? '', outputs: [] }];
    const outcome = before?.result?.outcome;
    if (outcome === undefined) return [];
    const outputs = outcome.outputs.map(({ ref }) => ref);
    return [{ actionId: id, how: 'completed', words: outcome.summary, outputs }];
  });
}
