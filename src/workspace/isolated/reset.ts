import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { onDisk } from '../git/raw-paths.ts';
import type { EngineRepository } from '../git/repository.ts';
import { type GitOptions, git, runGit } from '../git/run-git.ts';
import { withTemporaryIndex } from '../git/temporary-index.ts';
import { takeSubmodulesOut } from './submodules.ts';
import { recordedBranch, type WorkspaceHead, writeWorkspaceGitDir } from './workspace-git-dir.ts';

/** The branch defaults to the one the workspace was prepared on, where that is still recorded. */
interface ResetRequest extends WorkspaceHead {
  readonly path: string;
}

/**
 * Puts a workspace back to exactly the tree of `commit`, with a new git directory (hooks and settings of the last
 * attempt are gone). Files that the tree's own rules ignore, such as installed dependencies, stay. Take a snapshot
 * first; this destroys. Safe to repeat after a crash.
 */
export function resetWorkspace(request: ResetRequest): Promise<void> {
  return replaceContent({ ...request, content: request.commit, head: request.commit });
}

/** As {@link resetWorkspace}, with the files of one commit and HEAD at another. */
export async function replaceContent(
  request: Omit<ResetRequest, 'commit'> & { readonly content: string; readonly head: string },
): Promise<void> {
  const { repo, path, content, head } = request;
  const branch =
    request.branch ??
    (await recordedBranch(join(path, '.git'))) ??
    // A reset cut short between the two renames left the record here.
    (await recordedBranch(preparing(path)));
  const identity = request.identity === undefined ? {} : { identity: request.identity };
  await writeFiles(repo, path, content);
  await replaceGitDir(path, { repo, commit: head, ...identity, ...(branch === undefined ? {} : { branch }) });
  const own = { gitDir: join(path, '.git'), workTree: path };
  await git(['read-tree', head], own);
  // Fills in the stat data, so that the executor's first `git status` need not read every file; its code only says "differs".
  await runGit(['update-index', '-q', '--refresh'], own);
}

/** With our git directory and index only, for the same reason as in capture. */
function writeFiles(repo: EngineRepository, path: string, commit: string): Promise<void> {
  return withTemporaryIndex(repo, async (indexFile) => {
    const at: GitOptions = { gitDir: repo.gitDir, workTree: path, indexFile, timeoutMs: 900_000 };
    await git(['read-tree', commit], at);
    const submodules = await takeSubmodulesOut(at);
    await runGit(['update-index', '-q', '--refresh'], at);
    // Files first: the ignore rules that decide what is cleaned must be those of the commit, not the executor's.
    await git(['checkout-index', '--quiet', '--force', '--all'], at);
    // The second -f takes repositories that the executor made or cloned inside, too.
    await git(['clean', '-q', '-d', '-f', '-f'], at);
    for (const submodule of submodules.keys()) {
      await removeTree(onDisk(path, submodule).toString('utf8'));
      await mkdir(onDisk(path, submodule), { recursive: true });
    }
  });
}

async function replaceGitDir(path: string, request: WorkspaceHead): Promise<void> {
  const fresh = preparing(path);
  await removeTree(fresh);
  await writeWorkspaceGitDir(fresh, request);
  await removeTree(join(path, '.git'));
  await rename(fresh, join(path, '.git'));
}

/** Beside the workspace, not in it, so that a crash leaves no stray folder among the files. */
function preparing(path: string): string {
  return `${path}.git-preparing`;
}
