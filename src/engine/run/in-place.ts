import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionState, ItemState } from '../../core/index.ts';
import { compareManifests } from '../../workspace/files/compare-manifests.ts';
import { copyPaths } from '../../workspace/files/copy-directory.ts';
import {
  DEFAULT_MANIFEST_LIMITS,
  type Manifest,
  type ManifestLimits,
  manifest,
} from '../../workspace/files/manifest.ts';
import type { World } from '../world.ts';

const NOTE = 'before.json';

/** Notes of this generation's Runs, oldest first: what a Run that died half-way wrote is this Action's doing, too. */
async function noteOf(world: World, state: ItemState, action: ActionState): Promise<string | undefined> {
  const runs = await world.store.runs(state.id, { actionId: action.id });
  const ours = runs.filter((run) => run.generation === action.generation).toReversed();
  return ours.map((run) => join(world.home.run(run.runId), NOTE)).find((path) => existsSync(path));
}

/** Describes the directory before an Action works in it for the first time; a directory over the limits is not. */
export async function noteBefore(world: World, state: ItemState, action: ActionState, runDir: string): Promise<void> {
  if ((await noteOf(world, state, action)) !== undefined) return;
  const described = await manifest(state.contract.directory);
  if (described.kind !== 'manifest') return;
  const path = join(runDir, NOTE);
  await writeFile(`${path}.tmp`, JSON.stringify(described.manifest));
  await rename(`${path}.tmp`, path);
}

/** Paths that differ from before this generation of the Action, in bytewise order; none where nothing was noted. */
export const changedInPlace = async (world: World, state: ItemState, action: ActionState): Promise<readonly string[]> =>
  (await knownInPlace(world, state, action)) ?? [];

/** The same; undefined where nothing was noted, or where there is too much to look at. */
export async function knownInPlace(
  world: World,
  state: ItemState,
  action: ActionState,
  limits: ManifestLimits = DEFAULT_MANIFEST_LIMITS,
): Promise<readonly string[] | undefined> {
  const note = await noteOf(world, state, action);
  if (note === undefined) return undefined;
  const after = await manifest(state.contract.directory, limits);
  if (after.kind !== 'manifest') return undefined;
  // Written by `noteBefore`, in a directory that no executor can reach.
  const before = JSON.parse(await readFile(note, 'utf8')) as Manifest;
  return compareManifests(before, after.manifest).map((change) => change.path);
}

/**
 * Copies the files of a repository that is worked on in place, so that checks have a base and protection something to
 * put back. The git directory stays out; a directory over the limits is not copied, and receipts say `base_unknown`.
 */
export async function copyForBase(directory: string, into: string): Promise<void> {
  if ((await manifest(directory)).kind !== 'manifest') return;
  const names = (await readdir(directory)).filter((name) => name !== '.git');
  await mkdir(into, { recursive: true });
  if (names.length > 0)
    await copyPaths(
      names.map((name) => join(directory, name)),
      into,
    );
}
