import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ItemState } from '../../core/index.ts';
import { openEngineRepository, unpin } from '../../workspace/engine-repository/engine-repository.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import { listSnapshots } from '../../workspace/isolated/snapshot.ts';
import { evictSetups } from '../../workspace/setup/setup-cache.ts';
import { reclaimUploads } from '../attachments/reclaim-uploads.ts';
import { keepWork } from '../run/workplace.ts';
import type { World } from '../world.ts';

export interface GcRequest {
  /** Without it nothing is removed, only listed. */
  readonly apply: boolean;
  /** Items that ended less than this ago keep everything. */
  readonly olderThanMs: number;
  /** What the set-up cache may hold. */
  readonly setupMaxBytes?: number;
}

/** One thing that was, or would be, removed or kept, and why. */
export interface GcEntry {
  readonly what: 'workspace' | 'repository' | 'run' | 'base' | 'setup' | 'upload' | 'unknown';
  readonly path: string;
  readonly itemId?: string;
  readonly bytes: number;
  readonly action: 'remove' | 'keep';
  readonly why: string;
  /** Private ref that holds what a removed workspace contained beyond its commits. */
  readonly keptRef?: string;
}

const SETUP_MAX_BYTES = 10 * 1024 ** 3;
const HOUR_MS = 3_600_000;

/** Disk used beneath a path; links count as links. */
async function sizeOf(path: string): Promise<number> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) return 0;
  if (!info.isDirectory()) return info.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}

const hasEnded = (state: ItemState): boolean => state.lifecycle === 'done' || state.lifecycle === 'cancelled';

/** Why an item's files have to stay; undefined when they may go. */
function whyKeep(state: ItemState | undefined, request: GcRequest, now: number): string | undefined {
  if (!state) return 'belongs to no item of this store';
  if (!hasEnded(state)) return `item ${state.id} is ${state.lifecycle}`;
  const ageMs = now - (state.endedAt ?? now);
  return ageMs >= request.olderThanMs ? undefined : `item ${state.id} ended less than the retention time ago`;
}

async function namesIn(path: string): Promise<readonly string[]> {
  return (await readdir(path).catch(() => [])).sort();
}

async function reclaimWorkspaces(
  world: World,
  itemId: string,
  state: ItemState | undefined,
  repo: EngineRepository | undefined,
  request: GcRequest,
): Promise<readonly GcEntry[]> {
  const root = world.home.workspaces(itemId);
  const keep = whyKeep(state, request, world.now());
  const entries: GcEntry[] = [];
  for (const name of await namesIn(root)) {
    const path = join(root, name);
    const base = { what: 'workspace', path, itemId, bytes: await sizeOf(path) } as const;
    if (keep !== undefined || !state) {
      entries.push({ ...base, action: 'keep', why: keep ?? '' });
      continue;
    }
    const keptRef = request.apply && repo ? await keepWork(world, state, repo, path, `gc-${name}`) : undefined;
    if (request.apply) await removeWorkspace(path, { root });
    entries.push({ ...base, action: 'remove', why: 'its item has ended', ...(keptRef ? { keptRef } : {}) });
  }
  return entries;
}

/** Run directories are transcripts on disk; the receipts and logs themselves live in the store. */
async function reclaimRuns(world: World, state: ItemState, request: GcRequest): Promise<readonly GcEntry[]> {
  const entries: GcEntry[] = [];
  for (const run of await world.store.runs(state.id, { limit: 1_000 })) {
    const path = world.home.run(run.runId);
    const bytes = await sizeOf(path);
    if (bytes === 0) continue;
    if (request.apply) await rm(path, { recursive: true, force: true });
    entries.push({ what: 'run', path, itemId: state.id, bytes, action: 'remove', why: 'its item has ended' });
  }
  return entries;
}

/** Kept work outlives its workspace by one retention time, whenever that was removed (D31). */
async function whyKeepWork(
  repo: EngineRepository | undefined,
  entries: readonly GcEntry[],
  request: GcRequest,
  now: number,
): Promise<string | undefined> {
  if (entries.some(({ keptRef }) => keptRef !== undefined)) return 'holds work that was kept just now';
  const kept = repo ? await listSnapshots(repo) : [];
  const young = kept.filter(({ at }) => now - at * 1_000 < request.olderThanMs);
  return young.length === 0
    ? undefined
    : `holds work kept less than the retention time ago: ${young.map(({ ref }) => ref).join(', ')}`;
}

/** The engine's repository holds kept work; it goes last, together with what pins the user's objects. */
async function reclaimRepository(
  world: World,
  state: ItemState,
  request: GcRequest,
  why: string | undefined,
): Promise<readonly GcEntry[]> {
  const entries: GcEntry[] = [];
  for (const [what, path] of [
    ['repository', world.home.repository(state.id)],
    ['base', world.home.plainBase(state.id)],
  ] as const) {
    const bytes = await sizeOf(path);
    if (bytes === 0) continue;
    const entry = { what, path, itemId: state.id, bytes } as const;
    if (why !== undefined) {
      entries.push({ ...entry, action: 'keep', why });
      continue;
    }
    if (request.apply) await rm(path, { recursive: true, force: true });
    entries.push({ ...entry, action: 'remove', why: 'its item has ended' });
  }
  if (why === undefined && request.apply && state.base.kind === 'git') {
    await unpin({ commonDir: state.base.gitDir, itemId: state.id }).catch((error) =>
      world.log('pins could not be removed', { item: state.id, error: String(error) }),
    );
  }
  return entries;
}

async function reclaimSetups(world: World, request: GcRequest): Promise<readonly GcEntry[]> {
  if (!request.apply) return [];
  const evicted = await evictSetups({
    cacheRoot: world.home.setups,
    keep: new Set(),
    maxBytes: request.setupMaxBytes ?? SETUP_MAX_BYTES,
    abandonedBefore: world.now() - HOUR_MS,
  });
  return evicted.map(({ key, bytes }) => ({
    what: 'setup',
    path: join(world.home.setups, key),
    bytes,
    action: 'remove',
    why: 'the set-up cache is over its limit and this was used least recently',
  }));
}

async function reclaimFiles(world: World, { apply }: GcRequest): Promise<readonly GcEntry[]> {
  const expired = await reclaimUploads(world.store, world.now(), apply);
  return expired.map(({ id, name, bytes }) => ({
    ...{ what: 'upload', path: `${id} (${name})`, bytes, action: 'remove' },
    why: 'it was sent more than a day ago; items keep what they were given',
  }));
}

/**
 * Lists what could be reclaimed and why, and what stays and why; removes it when asked to. Only exact paths of items
 * in the store are ever touched, and a workspace with work in it is kept under a private ref first (D31).
 */
export async function collectGarbage(world: World, request: GcRequest): Promise<readonly GcEntry[]> {
  const entries: GcEntry[] = [];
  const roots = [join(world.home.root, 'work'), join(world.home.root, 'git'), join(world.home.root, 'base')];
  const found = await Promise.all(roots.map(namesIn));
  const ids = new Set(found.flat().map((name) => name.replace(/\.git$/, '')));
  for (const itemId of ids) {
    const state = await world.store.load(itemId).catch(() => undefined);
    const repo = await openEngineRepository({ gitDir: world.home.repository(itemId), itemId }).catch(() => undefined);
    const workspaces = await reclaimWorkspaces(world, itemId, state, repo, request);
    entries.push(...workspaces);
    if (!state) continue;
    const why = whyKeep(state, request, world.now());
    if (why === undefined) entries.push(...(await reclaimRuns(world, state, request)));
    const whyRepository = why ?? (await whyKeepWork(repo, workspaces, request, world.now()));
    entries.push(...(await reclaimRepository(world, state, request, whyRepository)));
  }
  return [...entries, ...(await reclaimSetups(world, request)), ...(await reclaimFiles(world, request))];
}
