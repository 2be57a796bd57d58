import { mkdir, rm } from 'node:fs/promises';
import type { ItemState, LiveRun, Settlement, Usage } from '../../core/index.ts';
import { runFiles } from '../../executors/command/run-files.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import { issueSurely } from '../persist.ts';
import { type World, wasRefused } from '../world.ts';
import { type Carried, fenceOf } from './carried.ts';
import { workspaceName } from './workplace.ts';

/** A refused settlement means that the Run was taken away; the work is kept, nothing else changes (D8). */
export async function settleRun(world: World, carried: Carried, settlement: Settlement, usage: Usage): Promise<void> {
  const { state, run, signal } = carried;
  const body = { type: 'Settle', fence: fenceOf(run), settlement, usage } as const;
  const result = await issueSurely(world, signal, state.id, body);
  if (wasRefused(result)) {
    world.log('settlement refused', { item: state.id, run: run.id, code: result.code });
    return;
  }
  // What it says is settled, redacted; the raw file is the one thing left that may hold a secret (D38).
  // A command may have put a directory there.
  if (settlement.kind === 'outcome')
    await rm(runFiles(world.home.run(run.id)).outcome, { force: true, recursive: true });
  await reclaim(world, result.state, run);
}

/** A completed result is a commit now; its clone is not needed any more. A `shared` clone serves the next Action. */
async function reclaim(world: World, state: ItemState, run: LiveRun): Promise<void> {
  const action = state.actions.find((candidate) => candidate.id === run.actionId);
  if (action?.status !== 'completed' || state.contract.workspace === 'in-place') return;
  if (action.spec.workspace === 'shared') return;
  const root = world.home.workspaces(state.id);
  await mkdir(root, { recursive: true });
  await removeWorkspace(world.home.workspace(state.id, workspaceName(action)), { root });
}
