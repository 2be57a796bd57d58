import { setTimeout as pause } from 'node:timers/promises';
import { type ItemState, invariant } from '../core/index.ts';
import {
  createEngineRepository,
  type EngineRepositoryRequest,
} from '../workspace/engine-repository/engine-repository.ts';
import { clearStaleLocks } from '../workspace/engine-repository/stale-locks.ts';
import { ENGINE_AUTHOR, type Stamp } from '../workspace/git/commit.ts';
import type { EngineRepository } from '../workspace/git/repository.ts';
import type { World } from './world.ts';

type GitBase = Extract<ItemState['base'], { kind: 'git' }>;

/** The base of an item that has a repository; only such an item has a branch and workspaces of its own. */
export function gitBaseOf({ id, base }: Pick<ItemState, 'id' | 'base'>): GitBase {
  invariant(base.kind === 'git', `item ${id} has no repository`);
  return base;
}

/** Builders in flight, so that two Actions of one item do not make its repository twice. */
const building = new Map<string, Promise<EngineRepository>>();

const TRIES = 8;
const TRY_PAUSE_MS = 50;

/**
 * Two processes may build the same repository for two Actions, and one clears away what the other is half-way
 * through: the loser waits for the winner's, or builds again.
 */
async function makeOnce(request: EngineRepositoryRequest): Promise<EngineRepository> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createEngineRepository(request);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await pause(TRY_PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}

/** The engine's own repository of an item, made on first use; the item's base was pinned when it was submitted. */
export function repositoryOf(world: World, state: ItemState): Promise<EngineRepository> {
  const gitDir = world.home.repository(state.id);
  const known = building.get(gitDir);
  if (known !== undefined) return known;
  const base = gitBaseOf(state);
  const request = { gitDir, source: { commonDir: base.gitDir }, base: base.commit, itemId: state.id };
  const made = clearStaleLocks(gitDir, world.now()).then((locks) => {
    if (locks.length > 0) world.log('locks of a dead git were removed', { item: state.id, locks });
    return makeOnce(request);
  });
  building.set(gitDir, made);
  const forget = () => building.delete(gitDir);
  made.then(forget, forget);
  return made;
}

/** Author of the engine's commits on behalf of an Action, and the instant in whole seconds. */
export const stamp = (at: number): Stamp => ({ author: ENGINE_AUTHOR, at: Math.floor(at / 1000) });
