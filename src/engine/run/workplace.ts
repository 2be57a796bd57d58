import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ActionState, type ItemState, isConflicted, isWriter, type LiveRun } from '../../core/index.ts';
import { adoptFinished } from '../../executors/command/adopt.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { type Preparation, prepareConflictWorkspace, prepareWorkspace } from '../../workspace/isolated/prepare.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import { resetWorkspace } from '../../workspace/isolated/reset.ts';
import { dropSnapshot, snapshotWorkspace } from '../../workspace/isolated/snapshot.ts';
import { type GitBase, repositoryOf, stamp } from '../repository.ts';
import type { World } from '../world.ts';
import { noteBefore } from './in-place.ts';

/** Where a Run works, and what it started from. */
export interface Workplace {
  readonly path: string;
  readonly projectPath: string;
  /** Commit, or content hash in place; recorded with the Run. */
  readonly base: string;
  /** Absent where the Run works in the user's directory itself. */
  readonly repo?: EngineRepository;
  /** True when the tree was laid afresh, so that the set-up result has to be provided. */
  readonly fresh: boolean;
  readonly merge?: { readonly theirs: string; readonly paths: readonly string[] };
  /** A command of this generation that had ended when its engine died; it is taken over, not run twice. */
  readonly adopt?: Adoption;
}

interface Adoption {
  readonly runDir: string;
  readonly exitCode: number;
  /** What the command was given; the branch may have moved on since. */
  readonly base: string;
}

export const workspaceName = (action: ActionState): string =>
  action.spec.workspace === 'shared' ? 'shared' : `${action.id}-g${action.generation}`;

/** Lays out the workspace of a Run (D29, D31). Throws what git says; the caller turns it into a failed Run. */
export async function prepareWorkplace(
  world: World,
  state: ItemState,
  action: ActionState,
  run: LiveRun,
): Promise<Workplace> {
  const runDir = world.home.run(run.id);
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  if (action.spec.executor.kind === 'verify') {
    return { path: runDir, projectPath: runDir, base: state.branch.head, fresh: false };
  }
  const adopt = await takeOver(world, state, action, run);
  if (state.contract.workspace === 'in-place') {
    const { directory } = state.contract;
    if (isWriter(action.spec)) await noteBefore(world, state, action, runDir);
    return {
      path: directory,
      projectPath: directory,
      base: adopt?.base ?? state.branch.head,
      fresh: false,
      ...(adopt ? { adopt } : {}),
    };
  }
  const repo = await repositoryOf(world, state);
  const path = world.home.workspace(state.id, workspaceName(action));
  const conflict = conflictFor(state, action);
  const base = state.branch.head;
  if (conflict && !adopt) await startOver(world, state, action, run, repo, path);
  const prepared = conflict
    ? await prepareConflictWorkspace({
        repo,
        path,
        ours: conflict.ours,
        theirs: conflict.theirs,
        message: `Integrate ${conflict.id}`,
      })
    : await prepareWorkspace({ repo, path, commit: base, branch: `work/${action.id}` });
  if (prepared.kind === 'occupied') throw new Error(`${prepared.path} exists and is not a workspace`);
  const laid = await freshen(world, state, action, run, repo, prepared, adopt !== undefined || conflict !== undefined);
  const projectPath = join(path, (state.base as GitBase).subdirectory);
  await mkdir(projectPath, { recursive: true });
  return {
    path,
    projectPath,
    base: conflict ? conflict.ours : (adopt?.base ?? base),
    repo,
    fresh: laid,
    ...(conflict ? { merge: { theirs: conflict.theirs, paths: conflict.paths } } : {}),
    ...(adopt ? { adopt } : {}),
  };
}

/**
 * Looks for a finished command of this generation whose engine died before it could settle. Runs that were never
 * dispatched started nothing and stand in nobody's way; the last one that was dispatched decides.
 */
async function takeOver(
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

/** The merge that an integrate Action has to resolve: the first of its conflicted dependencies (D32). */
function conflictFor(state: ItemState, action: ActionState) {
  if (action.spec.workspace !== 'integrate') return undefined;
  for (const id of action.spec.dependsOn) {
    const other = state.actions.find((candidate) => candidate.id === id);
    if (other && isConflicted(state, other) && other.merge.kind === 'conflict') {
      return { id, paths: other.merge.paths, ours: state.branch.head, theirs: other.merge.theirs };
    }
  }
  return undefined;
}

/** The next try at a conflict meets it as it was: what the last one made of it is kept aside (D31). */
async function startOver(
  world: World,
  state: ItemState,
  action: ActionState,
  run: LiveRun,
  repo: EngineRepository,
  path: string,
): Promise<void> {
  if (!existsSync(path)) return;
  await keepWork(world, state, repo, path, `${action.id}-g${action.generation}-r${run.ordinal - 1}`);
  await removeWorkspace(path, { root: world.home.workspaces(state.id) });
}

/**
 * A workspace that was worked in before is kept under a private ref, then reset: a command's new attempt starts from
 * the item branch as it is now (D31). Returns whether the tree was laid afresh, so that the set-up has to be provided.
 */
async function freshen(
  world: World,
  state: ItemState,
  action: ActionState,
  run: LiveRun,
  repo: EngineRepository,
  prepared: Extract<Preparation, { kind: 'ready' }>,
  keepAsIs: boolean,
): Promise<boolean> {
  if (prepared.created) return true;
  if (keepAsIs) return false;
  await keepWork(world, state, repo, prepared.path, `${action.id}-g${action.generation}-r${run.ordinal - 1}`);
  await resetWorkspace({ repo, path: prepared.path, commit: state.branch.head });
  return true;
}

/** Keeps tracked and untracked files before anything is reset, removed or superseded; nothing when unchanged (D31). */
export async function keepWork(
  world: World,
  state: ItemState,
  repo: EngineRepository,
  path: string,
  name: string,
): Promise<string | undefined> {
  const message = `Kept work of ${name}`;
  const kept = await snapshotWorkspace({ repo, path, base: state.branch.head, name, message, ...stamp(world.now()) });
  if (kept.kind !== 'kept') return undefined;
  if (kept.captured.changed) return kept.ref;
  await dropSnapshot(repo, kept.name);
  return undefined;
}
