import { cp } from 'node:fs/promises';
import type { ActionState, ItemState, LiveRun } from '../../core/index.ts';
import { adoptFinished } from '../../executors/command/adopt.ts';
import type { World } from '../world.ts';

/** A command that had ended when its engine died: where it left its files, and how it ended. */
export interface Adoption {
  readonly runDir: string;
  readonly exitCode: number;
  /** What the command was given; the branch may have moved on since. */
  readonly base: string;
}

/**
 * Looks for a finished command of this generation whose engine died before it could settle. Runs that were never
 * dispatched started nothing and stand in nobody's way; the last one that was dispatched decides.
 */
export async function takeOver(
  world: World,
  state: ItemState,
  action: ActionState,
  run: LiveRun,
): Promise<Adoption | undefined> {
  if (action.lastRun?.status !== 'interrupted' || action.spec.executor.kind !== 'command') return undefined;
  const runs = await world.store.runs(state.id, { limit: 1_000 });
  const previous = runs.find(({ actionId, dispatchedAt }) => actionId === action.id && dispatchedAt !== null);
  if (previous?.status !== 'interrupted' || previous.generation !== action.generation) return undefined;
  if (previous.base === null || isOverwritten(state, action, runs, previous)) return undefined;
  const runDir = world.home.run(previous.runId);
  const finished = await adoptFinished({ runDir });
  if (finished?.exitCode !== 0) return undefined;
  // Handed on whole before the dispatch, so that a second death in a row still finds it.
  await cp(runDir, world.home.run(run.id), { recursive: true, force: true });
  return { runDir, exitCode: finished.exitCode, base: previous.base };
}

type Runs = Awaited<ReturnType<World['store']['runs']>>;

/** The one clone of `shared` Actions was given to another of them since. */
function isOverwritten(state: ItemState, action: ActionState, runs: Runs, previous: Runs[number]): boolean {
  if (action.spec.workspace !== 'shared' || state.contract.workspace === 'in-place') return false;
  const others = new Set(
    state.actions.filter((other) => other.id !== action.id && other.spec.workspace === 'shared').map(({ id }) => id),
  );
  return runs.some(({ actionId, startedSeq }) => others.has(actionId) && startedSeq > previous.startedSeq);
}
