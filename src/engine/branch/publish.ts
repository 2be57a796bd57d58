import type { ItemState } from '../../core/index.ts';
import { itemHead, moveItemBranch } from '../../workspace/engine-repository/item-branch.ts';
import { isAncestor } from '../../workspace/git/history.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { type PublishRequest, type PublishResult, publishBranch } from '../../workspace/landing/publish.ts';
import { transplant } from '../../workspace/landing/transplant.ts';
import { gitBaseOf, stamp } from '../repository.ts';
import { itemBranchName, type World } from '../world.ts';
import { block, send } from './step.ts';

/**
 * A result made on a snapshot of the user's uncommitted work leaves that work out before it is delivered, and is
 * verified again (D30). Undefined when there is nothing to take out.
 */
async function leaveSnapshotOut(world: World, state: ItemState, repo: EngineRepository): Promise<boolean | undefined> {
  const base = gitBaseOf(state);
  const { head } = state.branch;
  if (base.commit === base.cleanCommit || !(await isAncestor(repo, base.commit, head))) return undefined;
  const request = { engineGitDir: repo.gitDir, commit: head, snapshot: base.commit, onto: base.cleanCommit };
  const moved = await transplant({ ...request, ...stamp(state.updatedAt) });
  if (moved.kind === 'conflict') {
    const question = 'The result builds on your uncommitted edits. Commit them, then retry.';
    return block(world, state, 'needs_your_edits', question, moved.paths);
  }
  if (!(await moveItemBranch(repo, { from: await itemHead(repo), to: moved.head }))) return false;
  return send(world, state, { type: 'RecordSync', expectedHead: head, head: moved.head, targetHead: base.cleanCommit });
}

/** What we published ourselves may be replaced, by a rebased result for instance; anything else only be added to. */
async function putOnBranch(request: PublishRequest, { published }: ItemState): Promise<PublishResult> {
  if (published?.ref !== request.branch) return publishBranch(request);
  const replaced = await publishBranch({ ...request, expectedOld: published.commit });
  return replaced.kind === 'moved' ? publishBranch(request) : replaced;
}

/** Puts the item branch where the user can see it (D32). */
export async function publish(world: World, state: ItemState, repo: EngineRepository): Promise<boolean> {
  const base = gitBaseOf(state);
  const without = await leaveSnapshotOut(world, state, repo);
  if (without !== undefined) return without;
  const branch = itemBranchName(state);
  const commit = state.branch.head;
  const result = await putOnBranch({ engineGitDir: repo.gitDir, userGitDir: base.gitDir, commit, branch }, state);
  switch (result.kind) {
    case 'published':
    case 'already':
      return send(world, state, { type: 'RecordPublish', ref: branch, commit });
    case 'checked_out':
      return block(
        world,
        state,
        'publish_checked_out',
        `${branch} is checked out in ${result.where}. Switch away, then retry.`,
      );
    case 'moved':
      return block(
        world,
        state,
        'publish_moved',
        `${branch} holds commits that are not ours. Move it away, then retry.`,
        [result.actual ?? 'no commit'],
      );
    case 'refused':
      return block(world, state, 'publish_refused', `${branch} could not be published. What now?`, [result.reason]);
  }
}
