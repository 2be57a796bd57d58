import { changedPaths, diffText } from '../../workspace/git/diff.ts';
import { fileAt } from '../../workspace/git/file-at.ts';
import type { EngineRepository } from '../../workspace/git/repository.ts';
import { runGit } from '../../workspace/git/run-git.ts';
import { prepareCheckout } from '../../workspace/isolated/prepare.ts';
import { restorePaths } from '../../workspace/isolated/restore-paths.ts';
import { objectDirectories } from '../confinement.ts';
import { type CheckSource, type Side, TEXT_MAX_BYTES } from './check-source.ts';

/** A result commit and its base in the engine's repository of an item. */
export async function gitSource(place: {
  readonly repo: EngineRepository;
  /** Commit the work started from. */
  readonly base: string;
  readonly commit: string;
  readonly subdirectory: string;
}): Promise<CheckSource> {
  const { repo, base, commit, subdirectory } = place;
  const commitOf = (side: Side): string => (side === 'base' ? base : commit);
  return {
    at: commitOf,
    hasBase: true,
    subdirectory,
    readable: await objectDirectories(repo.gitDir),
    async checkOut(side, path) {
      const made = await prepareCheckout({ repo, path, commit: commitOf(side) });
      if (made.kind === 'occupied' || !made.created) throw new Error(`a checkout for a check must be new: ${path}`);
    },
    restore: (checkoutPath, globs) => restorePaths({ repo, checkoutPath, fromCommit: base, globs }),
    contentHash: (side, path) => objectId(repo, commitOf(side), path),
    async readText(side, path) {
      const found = await fileAt(repo, commitOf(side), path, { maxBytes: TEXT_MAX_BYTES });
      return found.kind === 'file' ? found.bytes.toString('utf8') : undefined;
    },
    async changedPaths() {
      return (await changedPaths(repo, base, commit)).map((change) => change.path);
    },
    async diff(paths) {
      if (paths.length === 0) return '';
      const { text, truncated } = await diffText(repo, base, commit, { paths });
      return truncated ? `${text}\n[… the diff is longer …]\n` : text;
    },
  };
}

/** Blob or tree id of a path in a commit. */
async function objectId(repo: EngineRepository, commit: string, path: string): Promise<string> {
  const name = `${commit}:${path}`;
  const result = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', name], { gitDir: repo.gitDir });
  return result.code === 0 ? result.stdout.trim() : 'missing';
}
