import { existsSync } from 'node:fs';
import { cp, lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionState, ItemState, LiveRun } from '../../core/index.ts';
import { adoptFinished } from '../../executors/command/adopt.ts';
import { runFiles } from '../../executors/command/run-files.ts';
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
 * dispatched started nothing and stand in nobody's way; the last one that was dispatched decides. `clone`: where an
 * isolated Action of this generation works.
 */
export async function takeOver(
  world: World,
  state: ItemState,
  action: ActionState,
  run: LiveRun,
  clone: string,
): Promise<Adoption | undefined> {
  if (action.lastRun?.status !== 'interrupted' || action.spec.executor.kind !== 'command') return undefined;
  const runs = await world.store.runs(state.id, { limit: 1_000 });
  const previous = runs.find(({ actionId, dispatchedAt }) => actionId === action.id && dispatchedAt !== null);
  if (previous?.status !== 'interrupted' || previous.generation !== action.generation) return undefined;
  if (previous.base === null || isOverwritten(state, action, runs, previous)) return undefined;
  const runDir = world.home.run(previous.runId);
  const finished = await adoptFinished({ runDir });
  if (finished?.exitCode !== 0) return undefined;
  if (state.contract.workspace !== 'in-place' && !existsSync(clone)) {
    // What it made is gone: its word alone would prove an empty clone, also to whoever finds the next clone there.
    await rm(runFiles(runDir).exit, { force: true, recursive: true });
    return undefined;
  }
  // Handed on whole before the dispatch, so that a second death in a row still finds it.
  await copyReport(runDir, world.home.run(run.id));
  return { runDir, exitCode: finished.exitCode, base: previous.base };
}

/** What says how a command ended. Its home and its temporary files are nobody's, and may hold sockets and pipes. */
async function copyReport(from: string, to: string): Promise<void> {
  const { brief, log, report } = runFiles(from);
  const wanted = new Set([from, brief, log, report]);
  await cp(from, to, {
    recursive: true,
    force: true,
    verbatimSymlinks: true,
    filter: async (path) => {
      if (!wanted.has(path) && !path.startsWith(join(report, '/'))) return false;
      const found = await lstat(path);
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
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
