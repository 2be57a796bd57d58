import { realpath } from 'node:fs/promises';
import { runGit } from './git/run-git.ts';

/**
 * The directory that stands for a working directory in holds (D29): the real path of the git checkout's top level, so that
 * nested directories share it, else of the directory itself. Null when there is no such directory.
 */
export async function canonicalDirectory(directory: string): Promise<string | null> {
  const real = await realpath(directory).catch(() => null);
  if (real === null) return null;
  const found = await runGit(['rev-parse', '--show-toplevel'], { cwd: real });
  const topLevel = found.code === 0 ? found.stdout.replace(/\n$/, '') : '';
  return topLevel === '' ? real : realpath(topLevel);
}

/**
 * The key of a hold row. A directory is only meaningful on its machine; a remote repository is the same everywhere.
 * `machine` is the stable id of this installation's machine.
 */
export function holdKey(
  place: { readonly machine: string; readonly directory: string } | { readonly remote: string },
): string {
  return 'remote' in place ? `remote:${place.remote}` : `directory:${place.machine}:${place.directory}`;
}
