import { rename } from 'node:fs/promises';
import { lstatIfAny } from '../files/look.ts';
import { temporarySibling } from '../files/temporary-sibling.ts';
import { commitTree, ENGINE_AUTHOR } from '../git/commit.ts';
import { readRef } from '../git/refs.ts';
import type { EngineRepository } from '../git/repository.ts';
import { git } from '../git/run-git.ts';
import { initBorrowing } from './borrowed-objects.ts';

/** Where the item's repository keeps the commit it started from. */
const BASE_REF = 'refs/workcenter/base';

export interface EngineRepositoryRequest {
  /** Where the bare repository shall be, in the data directory. */
  readonly gitDir: string;
  /** The user's repository; absent when the item works on a directory that is not one. */
  readonly source?: { readonly commonDir: string };
  /** Absent when the source has no commit: the engine then starts from an empty root commit that only it has. */
  readonly base?: string;
  readonly itemId: string;
}

/**
 * Makes, or finds, the engine's repository of an item (D32). It borrows the source's objects and pins `base` there
 * first, so that a `git gc --prune=now` by the user takes nothing from us. The repository appears by rename: after a
 * crash it is complete or absent. One caller at a time per `gitDir` (the item's lease).
 * @throws GitFailure when the source cannot be read or its base commit does not exist.
 */
export async function createEngineRepository(request: EngineRepositoryRequest): Promise<EngineRepository> {
  assertItemId(request.itemId);
  if (request.source !== undefined && request.base !== undefined) {
    await pin({ commonDir: request.source.commonDir, itemId: request.itemId, commit: request.base });
  }
  return (await openEngineRepository(request)) ?? (await buildEngineRepository(request));
}

/** The repository made earlier at `gitDir`, or undefined when there is none. */
export async function openEngineRepository(
  place: Pick<EngineRepositoryRequest, 'gitDir' | 'itemId'>,
): Promise<EngineRepository | undefined> {
  assertItemId(place.itemId);
  if ((await lstatIfAny(place.gitDir)) === undefined) return undefined;
  const base = await readRef(place, BASE_REF);
  if (base === undefined)
    throw new Error(`${place.gitDir} exists and is not an engine repository: ${BASE_REF} is missing`);
  return { gitDir: place.gitDir, itemId: place.itemId, branch: itemBranch(place.itemId), base };
}

/** Keeps `commit` and its history alive in the user's repository under `refs/workcenter/<itemId>/<name>`. */
export async function pin(request: {
  readonly commonDir: string;
  readonly itemId: string;
  readonly commit: string;
  readonly name?: string;
}): Promise<void> {
  const { commonDir, itemId, commit, name = 'base' } = request;
  await git(['update-ref', pinRef(itemId, name), `${commit}^{commit}`], { gitDir: commonDir });
}

/** Removes every ref that {@link pin} made for the item; nothing else in the user's repository changes. */
export async function unpin(request: { readonly commonDir: string; readonly itemId: string }): Promise<void> {
  assertItemId(request.itemId);
  const gitDir = request.commonDir;
  const refs = await git(['for-each-ref', '--format=delete %(refname)', `refs/workcenter/${request.itemId}/`], {
    gitDir,
  });
  if (refs !== '') await git(['update-ref', '--stdin'], { gitDir, input: `${refs}\n` });
}

/** Full ref of an item's branch in its engine repository. */
export function itemBranch(itemId: string): string {
  return `refs/heads/workcenter/${itemId}`;
}

async function buildEngineRepository(request: EngineRepositoryRequest): Promise<EngineRepository> {
  const building = await temporarySibling(request.gitDir);
  await initBorrowing(building, request.source?.commonDir, { bare: true });
  const inside = { gitDir: building };
  const base = request.base ?? (await emptyRoot(building));
  const branch = itemBranch(request.itemId);
  await git(['update-ref', BASE_REF, `${base}^{commit}`], inside);
  await git(['update-ref', branch, `${base}^{commit}`], inside);
  await git(['symbolic-ref', 'HEAD', branch], inside);
  await rename(building, request.gitDir);
  return { gitDir: request.gitDir, itemId: request.itemId, branch, base };
}

/** A fixed author and date: every item that starts from nothing starts from the same commit. */
async function emptyRoot(gitDir: string): Promise<string> {
  const tree = await git(['mktree'], { gitDir });
  return commitTree({ gitDir }, tree, [], { message: 'Start from an empty tree', author: ENGINE_AUTHOR, at: 0 });
}

function pinRef(itemId: string, name: string): string {
  assertItemId(itemId);
  return `refs/workcenter/${itemId}/${name}`;
}

function assertItemId(itemId: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(itemId))
    throw new Error(`not usable in a ref: item id ${JSON.stringify(itemId)}`);
}
