import { git } from '../git/run-git.ts';

/** Mode of a tree entry that names a commit of another repository. */
export const SUBMODULE = '160000';

/** A tree entry as git stores it: mode `100644`, `100755`, `120000` (link) or `160000` (submodule). */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/** One path that differs between two commits; null where the commit has no such path. */
export interface ChangedPath {
  readonly path: string;
  readonly base: TreeEntry | null;
  readonly target: TreeEntry | null;
}

/** Every path that a move from commit `base` to commit `target` touches. A rename is a removal and an addition. */
export async function changedPaths(gitDir: string, base: string, target: string): Promise<ChangedPath[]> {
  const raw = await git(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--full-index', base, target], { gitDir });
  const parts = raw.split('\0').filter((part) => part !== '');
  const changes: ChangedPath[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [oldMode = '', mode = '', oldOid = '', oid = ''] = (parts[index] ?? '').slice(1).split(' ');
    changes.push({ path: parts[index + 1] ?? '', base: entry(oldMode, oldOid), target: entry(mode, oid) });
  }
  return changes;
}

function entry(mode: string, oid: string): TreeEntry | null {
  return mode === '000000' ? null : { mode, oid };
}
