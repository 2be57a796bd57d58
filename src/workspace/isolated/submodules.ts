import { lookAt } from '../files/look.ts';
import { feed, list, onDisk, type RawPath } from '../git/raw-paths.ts';
import type { GitOptions } from '../git/run-git.ts';

/** Removes the submodule entries from the index of `at` and returns them as path → commit. */
export async function takeSubmodulesOut(at: GitOptions): Promise<Map<RawPath, string>> {
  const submodules = new Map<RawPath, string>();
  for (const line of await list(['ls-files', '-s', '-z'], at)) {
    const match = /^160000 ([0-9a-f]+) \d\t([\s\S]*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) submodules.set(match[2], match[1]);
  }
  if (submodules.size > 0) await feed(['update-index', '-z', '--force-remove', '--stdin'], [...submodules.keys()], at);
  return submodules;
}

/** A submodule stays unless the executor put a file in its place. */
export async function putSubmodulesBack(
  root: string,
  submodules: ReadonlyMap<RawPath, string>,
  at: GitOptions,
): Promise<void> {
  const entries: RawPath[] = [];
  for (const [path, commit] of submodules) {
    const info = await lookAt(onDisk(root, path));
    if (info === undefined || info === 'unreadable' || info.isDirectory()) entries.push(`160000 ${commit} 0\t${path}`);
  }
  await feed(['update-index', '-z', '--index-info'], entries, at);
}
