import { existsSync } from 'node:fs';
import { mkdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type ActionState, type ItemState, isConflicted, isWriter, type LiveRun } from '../../core/index.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { type Preparation, prepareConflictWorkspace, prepareWorkspace } from '../../workspace/isolated/prepare.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import { resetWorkspace } from '../../workspace/isolated/reset.ts';
import { dropSnapshot, snapshotWorkspace } from '../../workspace/isolated/snapshot.ts';
import { gitBaseOf, repositoryOf, stamp } from '../repository.ts';
import type { World } from '../world.ts';
import { type Adoption, takeOver } from './adoption.ts';
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

export const workspaceName = (action: ActionState): string =>
  action.spec.workspace === 'shared' ? 'shared' : `${action.id}-g${action.generation}`;

/** What is to be laid out, and for whom. */
interface Wanted {
  readonly state: ItemState;
  readonly action: ActionState;
  readonly run: LiveRun;
  readonly adopt: Adoption | undefined;
  /** Base of the workspace that an agent left and goes on in. */
  readonly goesOn: string | undefined;
}

/**
 * An agent goes on where it stopped, also in a new generation: an answer, a message or guidance must not cost it what
 * it has written so far (D15, D31). What was built on results that are no longer so starts afresh.
 */
async function continues(
  world: World,
  state: ItemState,
  action: ActionState,
  clone: string,
): Promise<string | undefined> {
  const { executor, workspace } = action.spec;
  if (executor.kind !== 'agent' || workspace !== 'isolated-write') return undefined;
  const runs = await world.store.runs(state.id, { actionId: action.id, limit: 100 });
  const last = runs.find(({ dispatchedAt }) => dispatchedAt !== null);
  if (!last?.base || (last.generation !== action.generation && last.status === 'completed')) return undefined;
  const earlier = world.home.workspace(state.id, workspaceName({ ...action, generation: last.generation }));
  if (!existsSync(clone) && existsSync(earlier)) await rename(earlier, clone);
  return existsSync(clone) ? last.base : undefined;
}

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
  const clone = world.home.workspace(state.id, workspaceName(action));
  const adopt = await takeOver(world, state, action, run, clone);
  const goesOn = await continues(world, state, action, clone);
  const wanted = { state, action, run, adopt, goesOn };
  return state.contract.workspace === 'in-place' ? inPlace(world, wanted) : isolated(world, wanted);
}

async function inPlace(world: World, { state, action, run, adopt }: Wanted): Promise<Workplace> {
  const { directory } = state.contract;
  // Whoever put something else in its place does not thereby choose where the work happens (V19).
  if ((await realpath(directory)) !== directory) throw new Error(`${directory} is not the directory that it was`);
  if (isWriter(action.spec)) await noteBefore(world, state, action, world.home.run(run.id));
  const base = adopt?.base ?? state.branch.head;
  return { path: directory, projectPath: directory, base, fresh: false, ...(adopt ? { adopt } : {}) };
}

async function isolated(world: World, wanted: Wanted): Promise<Workplace> {
  const { state, action, run, adopt, goesOn } = wanted;
  const repo = await repositoryOf(world, state);
  const path = world.home.workspace(state.id, workspaceName(action));
  const conflict = conflictFor(state, action);
  if (conflict && !adopt) await startOver(world, state, action, run, repo, path);
  const prepared = conflict
    ? await prepareConflictWorkspace({ repo, path, ...conflict.sides, message: `Integrate ${conflict.id}` })
    : await prepareWorkspace({ repo, path, commit: state.branch.head, branch: `work/${action.id}` });
  if (prepared.kind === 'occupied') throw new Error(`${prepared.path} exists and is not a workspace`);
  const keepAsIs = adopt !== undefined || conflict !== undefined || goesOn !== undefined;
  const fresh = await freshen(world, state, action, run, repo, prepared, keepAsIs);
  const projectPath = join(path, gitBaseOf(state).subdirectory);
  await mkdir(projectPath, { recursive: true });
  return {
    path,
    projectPath,
    base: conflict ? conflict.sides.ours : (adopt?.base ?? goesOn ?? state.branch.head),
    repo,
    fresh,
    ...(conflict ? { merge: { theirs: conflict.sides.theirs, paths: conflict.paths } } : {}),
    ...(adopt ? { adopt } : {}),
  };
}

/** The merge that an integrate Action has to resolve: the first of its conflicted dependencies (D32). */
function conflictFor(state: ItemState, action: ActionState) {
  if (action.spec.workspace !== 'integrate') return undefined;
  for (const id of action.spec.dependsOn) {
    const other = state.actions.find((candidate) => candidate.id === id);
    if (other && isConflicted(state, other) && other.merge.kind === 'conflict') {
      return { id, paths: other.merge.paths, sides: { ours: state.branch.head, theirs: other.merge.theirs } };
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
