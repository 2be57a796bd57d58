import type { ItemState } from '../../core/index.ts';
import { mergeIntoItem } from '../../workspace/engine-repository/item-branch.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { stamp } from '../repository.ts';
import type { World } from '../world.ts';
import { send } from './step.ts';

/** Merges a completed Action's commit into the item branch; a conflict is recorded for an integrate Action (D32). */
export async function mergeResult(
  world: World,
  state: ItemState,
  repo: EngineRepository,
  actionId: string,
): Promise<boolean> {
  const action = state.actions.find((candidate) => candidate.id === actionId);
  const commit = action?.result?.commit;
  const { head: expectedHead } = state.branch;
  if (!action || commit === undefined) return false;
  const address = { type: 'RecordMerge', actionId, generation: action.generation, expectedHead } as const;
  const message = `Merge ${action.id}: ${action.spec.name}`;
  const merged = await mergeIntoItem(repo, { commit, message, ...stamp(state.updatedAt) });
  switch (merged.kind) {
    case 'merged':
    case 'already':
      return send(world, state, { ...address, result: { kind: 'merged', head: merged.head } });
    case 'conflict': {
      const { paths, ours, theirs } = merged;
      return send(world, state, { ...address, result: { kind: 'conflict', paths, ours, theirs } });
    }
    case 'moved':
      return false;
  }
}
