import type { ItemState } from '../../core/index.ts';
import { openEngineRepository } from '../../workspace/engine-repository/engine-repository.ts';
import { changedPaths } from '../../workspace/git/diff.ts';
import { fileAt } from '../../workspace/git/file-at.ts';
import type { World } from '../world.ts';
import type { DiffEnds, NoDiff } from './item-diff.ts';

export interface ChangedFile {
  readonly kind: 'file';
  readonly commit: string;
  readonly path: string;
  readonly state: 'text' | 'binary' | 'too_large' | 'symlink' | 'submodule' | 'absent';
  /** Of text: what it says. Of a link: where it leads. Of a submodule: its commit. */
  readonly text: string | null;
  readonly bytes: number | null;
}

/** Larger files are named by their size. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** As git does: a NUL near the beginning. */
const LOOKED_AT = 8_000;

type Shown = Pick<ChangedFile, 'state' | 'text' | 'bytes'>;

/** What there is to see of a file. */
export function shownFile(found: Awaited<ReturnType<typeof fileAt>>): Shown {
  switch (found.kind) {
    case 'too_large':
      return { state: 'too_large', text: null, bytes: found.sizeBytes };
    case 'symlink':
      return { state: 'symlink', text: found.target, bytes: null };
    case 'submodule':
      return { state: 'submodule', text: found.commit, bytes: null };
    case 'directory':
    case 'absent':
      return { state: 'absent', text: null, bytes: null };
    case 'file': {
      const { bytes } = found;
      if (bytes.subarray(0, LOOKED_AT).includes(0)) return { state: 'binary', text: null, bytes: bytes.length };
      return { state: 'text', text: bytes.toString('utf8'), bytes: bytes.length };
    }
  }
}

/**
 * A file as it stood before or after a change. Only paths that were changed between the two commits are shown: a diff
 * tells of them anyway, and of the rest of the project nobody was asked.
 */
export async function changedFile(
  world: World,
  state: ItemState,
  { from, to }: DiffEnds,
  { path, side }: { readonly path: string; readonly side: 'before' | 'after' },
): Promise<ChangedFile | NoDiff> {
  const repo = await openEngineRepository({ gitDir: world.home.repository(state.id), itemId: state.id });
  if (!repo) return { kind: 'nothing', why: 'No work has begun.' };
  const changed = await changedPaths(repo, from, to);
  if (!changed.some((each) => each.path === path)) {
    return { kind: 'nothing', why: 'No file of that path was changed there.' };
  }
  const commit = side === 'before' ? from : to;
  return { kind: 'file', commit, path, ...shownFile(await fileAt(repo, commit, path, { maxBytes: MAX_FILE_BYTES })) };
}
