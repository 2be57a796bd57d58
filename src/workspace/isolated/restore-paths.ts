import { lstat, realpath, unlink } from 'node:fs/promises';
import { sep } from 'node:path';
import picomatch from 'picomatch';
import { lstatIfAny } from '../files/look.ts';
import { removeTree } from '../files/remove-tree.ts';
import { feed, list, onDisk, shown } from '../git/raw-paths.ts';
import type { EngineRepository } from '../git/repository.ts';
import { type GitOptions, git, runGitBytes } from '../git/run-git.ts';
import { withTemporaryIndex } from '../git/temporary-index.ts';
import { readExecutorHead } from './executor-head.ts';
import { takeSubmodulesOut } from './submodules.ts';

/**
 * Puts the files that match `globs` back to what they are in `fromCommit`, in a checkout made for checks: changed
 * ones rewritten, missing ones created, matching ones that `fromCommit` does not have removed. So a check runs with
 * the protected files of the base, whatever the executor did to them.
 *
 * Globs are relative to the repository's top level; a leading dot needs no special pattern. Ignored files (installed
 * packages) are not looked at, unless the checkout's own commit tracks them.
 * @returns the paths that differed, sorted
 */
export function restorePaths(request: {
  readonly repo: EngineRepository;
  readonly checkoutPath: string;
  readonly fromCommit: string;
  readonly globs: readonly string[];
}): Promise<string[]> {
  const { repo, checkoutPath, fromCommit, globs } = request;
  if (globs.length === 0) return Promise.resolve([]);
  const matches = picomatch([...globs], { dot: true });
  const protectedPath = (path: string): boolean => matches(shown(path).replace(/\/$/, ''));
  return withTemporaryIndex(repo, async (indexFile) => {
    const at: GitOptions = { gitDir: repo.gitDir, workTree: checkoutPath, indexFile };
    await git(['read-tree', fromCommit], at);
    await takeSubmodulesOut(at);
    const original = new Set(await list(['ls-files', '-z'], at));
    const strangers = await findStrangers(request, at, original, protectedPath);
    await feed(
      ['update-index', '-z', '--force-remove', '--stdin'],
      [...original].filter((path) => !protectedPath(path)),
      at,
    );
    const changed = await findChanged(at);
    // Removal first: a file where the original has a folder, or a link to one, must be out of the way.
    for (const path of strangers) await removeInside(checkoutPath, path);
    await feed(['checkout-index', '--quiet', '--force', '-z', '--stdin'], changed, at);
    return [...new Set([...strangers, ...changed])].map(shown).sort();
  });
}

async function findChanged(at: GitOptions): Promise<string[]> {
  await runGitBytes(['update-index', '-q', '--refresh'], at);
  return list(['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all'], at);
}

/** Matching files of the checkout that the original commit does not have. */
async function findStrangers(
  request: { readonly repo: EngineRepository; readonly checkoutPath: string },
  at: GitOptions,
  original: ReadonlySet<string>,
  protectedPath: (path: string) => boolean,
): Promise<string[]> {
  const untracked = await list(['ls-files', '-z', '--others', '--exclude-standard'], at);
  const head = await readExecutorHead(request.checkoutPath);
  const own = { gitDir: request.repo.gitDir };
  const tracked = head.kind === 'commit' ? await list(['ls-tree', '-r', '-z', '--name-only', head.commit], own) : [];
  const found = [...new Set([...untracked, ...tracked])].filter((path) => !original.has(path) && protectedPath(path));
  const present: string[] = [];
  for (const path of found) {
    if (await lstatIfAny(onDisk(request.checkoutPath, path))) present.push(path);
  }
  return present;
}

/** Never through a link: the executor may have made a folder of the checkout point outside it. */
async function removeInside(root: string, path: string): Promise<void> {
  const bare = path.replace(/\/$/, '');
  const folder = bare.includes('/') ? onDisk(root, bare.slice(0, bare.lastIndexOf('/'))) : root;
  const parent = await realpath(folder);
  const realRoot = await realpath(root);
  if (parent !== realRoot && !parent.startsWith(realRoot + sep)) return;
  const target = onDisk(root, bare);
  if ((await lstat(target)).isDirectory()) await removeTree(target.toString('utf8'));
  else await unlink(target);
}
