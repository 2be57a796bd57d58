import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../src/core/index.ts';
import type { World } from '../../src/engine/index.ts';
import { copyForBase, noteBefore } from '../../src/engine/run/in-place.ts';
import { createEngineRepository } from '../../src/workspace/engine-repository/engine-repository.ts';
import { captureWorkspace } from '../../src/workspace/isolated/capture.ts';
import { prepareWorkspace } from '../../src/workspace/isolated/prepare.ts';
import { actionSpec, claim, completed, createBody, dispatch, outcomeOf, settle } from '../store/items.ts';
import { submitGoal } from './submit-goal.ts';

const ACTION = 'a1';
const USER = { kind: 'user', name: 'test' } as const;

/** An Action that runs, in a workspace as the engine prepares it; whoever holds this does its work. */
export interface AtWork {
  readonly id: string;
  readonly runId: string;
  /** The commit that it started from. */
  readonly base: string;
  /** Its workspace. */
  readonly path: string;
  /** Captures what is there and settles the Run; answers the commit. */
  end(): Promise<string>;
}

async function does(world: World, ...commands: readonly Command[]): Promise<void> {
  for (const each of commands) {
    const said = await world.store.execute(each);
    if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
  }
}

/** The same in a directory itself, as it is worked on in place; it has no end. */
export async function beginInPlace(world: World, id: string, directory: string): Promise<Omit<AtWork, 'end'>> {
  const runId = `${id}-run`;
  const actions = [{ id: ACTION, spec: actionSpec(ACTION, { workspace: 'shared' }) }];
  const body = createBody({ contract: { directory, workspace: 'in-place' }, actions });
  await copyForBase(directory, world.home.plainBase(id));
  await does(world, { itemId: id, principal: USER, body }, claim(id, runId));
  const state = await world.store.load(id);
  const [action] = state?.actions ?? [];
  if (!state || !action) throw new Error('the item is there');
  await mkdir(world.home.run(runId), { recursive: true });
  await noteBefore(world, state, action, world.home.run(runId));
  await does(world, dispatch(id, runId));
  return { id, runId, base: state.branch.head, path: directory };
}

/** An item with one Action, whose Run has been dispatched on the repository at `directory`. */
export async function beginWork(world: World, id: string, directory: string): Promise<AtWork> {
  const { base, contract } = await submitGoal(world, directory, { goal: `Survey for ${id}`, start: false });
  if (base.kind !== 'git') throw new Error('work begins in a git repository');
  const runId = `${id}-run`;
  const body = { ...createBody({ contract: { directory: contract.directory } }), base };
  const started = dispatch(id, runId);
  if (started.body.type !== 'Dispatch') throw new Error('not a dispatch');
  const gitDir = world.home.repository(id);
  await does(world, { itemId: id, principal: USER, body });
  const repo = await createEngineRepository({
    ...{ gitDir, itemId: id },
    ...{ source: { commonDir: base.gitDir }, base: base.commit },
  });
  const path = world.home.workspace(id, `${ACTION}-g1`);
  await prepareWorkspace({ repo, path, commit: base.commit, branch: `work/${ACTION}` });
  await does(world, claim(id, runId), { ...started, body: { ...started.body, base: base.commit } });
  return {
    ...{ id, runId, base: base.commit, path: join(path) },
    async end() {
      const author = { name: 'Test', email: 'test@example.invalid' };
      const ref = `refs/workcenter/actions/${ACTION}/1`;
      const captured = await captureWorkspace({ repo, path, base: base.commit, ref, message: 'Work', author, at: 1 });
      if (captured.kind !== 'captured') throw new Error('the workspace is gone');
      const { commit, paths } = captured;
      const outcome = { ...outcomeOf(completed()), commit, changedPaths: paths.map((each) => each.path) };
      await does(world, settle(id, runId, outcome as ReturnType<typeof outcomeOf>));
      return commit;
    },
  };
}
