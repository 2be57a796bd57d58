import { realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isMissing } from '../files/file-errors.ts';
import { lstatIfAny } from '../files/look.ts';
import { removeTree } from '../files/remove-tree.ts';

export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: 'outside_root' | 'is_root' | 'is_symlink' };

/**
 * Removes a workspace directory, only when it really lies inside `root`. It is renamed first, so that a removal cut
 * short never looks like a workspace; calling again finishes it.
 */
export async function removeWorkspace(path: string, bounds: { readonly root: string }): Promise<Removal> {
  const root = await realpath(bounds.root);
  const parent = await realpathIfAny(dirname(path));
  if (parent === undefined) return { kind: 'absent' };
  const real = join(parent, basename(path));
  if (real === root) return { kind: 'refused', reason: 'is_root' };
  if (!real.startsWith(root + sep)) return { kind: 'refused', reason: 'outside_root' };
  const leaving = `${real}.removing`;
  await removeTree(leaving);
  const info = await lstatIfAny(real);
  if (info === undefined) return { kind: 'absent' };
  if (info.isSymbolicLink()) return { kind: 'refused', reason: 'is_symlink' };
  await rename(real, leaving);
  await removeTree(leaving);
  return { kind: 'removed' };
}

async function realpathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
