import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../world.ts';
import { collectGarbage, type GcEntry, type GcRequest } from './collect-garbage.ts';

/** What one item holds on the disk, and what of it may go. */
export interface ItemDisk {
  readonly itemId: string;
  readonly bytes: number;
  /** Of these. */
  readonly reclaimable: number;
  /** Why the rest stays, or why it may go. */
  readonly why: string;
}

/** The data directory of an installation, by what holds it. */
export interface DiskUse {
  readonly freeBytes: number;
  readonly databaseBytes: number;
  /** Largest first. */
  readonly items: readonly ItemDisk[];
  /** Uploads that have expired and set-ups that are over their limit. */
  readonly othersReclaimable: number;
  readonly reclaimable: number;
}

const sizeOfFile = async (path: string): Promise<number> => (await lstat(path).catch(() => undefined))?.size ?? 0;

/** With the files that SQLite keeps beside it. */
async function databaseBytes({ home }: World): Promise<number> {
  const names = (await readdir(home.root).catch(() => [])).filter((name) =>
    join(home.root, name).startsWith(home.database),
  );
  const sizes = await Promise.all(names.map((name) => sizeOfFile(join(home.root, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const goes = ({ action, bytes }: GcEntry): number => (action === 'remove' ? bytes : 0);
const sum = (entries: readonly GcEntry[], of: (entry: GcEntry) => number): number =>
  entries.reduce((total, entry) => total + of(entry), 0);

function itemDisk(itemId: string, entries: readonly GcEntry[]): ItemDisk {
  const kept = entries.find(({ action }) => action === 'keep');
  const why = (kept ?? entries[0])?.why ?? '';
  return { itemId, why, bytes: sum(entries, ({ bytes }) => bytes), reclaimable: sum(entries, goes) };
}

/** Looks at every file that the engine keeps for items; removes what `collectGarbage` lets go when asked to. */
export async function diskUse(world: World, request: GcRequest): Promise<DiskUse> {
  const entries = await collectGarbage(world, request);
  const ids = [...new Set(entries.flatMap(({ itemId }) => itemId ?? []))];
  const items = ids.map((id) =>
    itemDisk(
      id,
      entries.filter(({ itemId }) => itemId === id),
    ),
  );
  const info = await statfs(world.home.root).catch(() => undefined);
  return {
    freeBytes: info ? info.bavail * info.bsize : 0,
    databaseBytes: await databaseBytes(world),
    items: items.sort((a, b) => b.bytes - a.bytes || (a.itemId < b.itemId ? -1 : 1)),
    othersReclaimable: sum(
      entries.filter(({ itemId }) => itemId === undefined),
      goes,
    ),
    reclaimable: sum(entries, goes),
  };
}
