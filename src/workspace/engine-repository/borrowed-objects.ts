import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../files/file-errors.ts';
import { git } from '../git/run-git.ts';

/**
 * Outranks every .gitattributes. Git refuses to store a file whose declared encoding it cannot convert from, so one
 * wrong line by an executor would make its work impossible to keep. Filters are not defined here; this says so.
 */
const ATTRIBUTES = '* -working-tree-encoding -filter\n';

/**
 * Makes an empty git directory that can read the objects of `lender` and has nothing else of it: no remote, no refs,
 * no configuration, no hooks. `lender` is the git (common) directory whose objects are borrowed.
 */
export async function initBorrowing(
  gitDir: string,
  lender: string | undefined,
  options: { readonly bare: boolean },
): Promise<void> {
  const format = lender === undefined ? 'sha1' : await objectFormat(lender);
  await mkdir(gitDir, { recursive: true });
  const bare = options.bare ? ['--bare'] : [];
  // Without GIT_WORK_TREE a non-bare init of an explicit git directory would record its parent as core.worktree.
  await git(['init', '--quiet', '--template=', `--object-format=${format}`, ...bare], { gitDir, cwd: gitDir });
  await git(['config', 'core.bare', String(options.bare)], { gitDir });
  await mkdir(join(gitDir, 'info'), { recursive: true });
  await writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  if (lender === undefined) return;
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), alternatesFile(lender));
  await copyShallowBoundary(lender, gitDir);
}

/**
 * The same without asking git, for a lender that is ours: what it was told (format, exclusions, attributes) is copied
 * with it. Made in a moment, for what is thrown away at once.
 */
export async function copyBorrowing(gitDir: string, lender: string): Promise<void> {
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  await mkdir(join(gitDir, 'info'), { recursive: true });
  await mkdir(join(gitDir, 'refs'), { recursive: true });
  for (const name of ['HEAD', 'config', 'info/attributes', 'info/exclude', 'shallow']) {
    await copyFile(join(lender, name), join(gitDir, name)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  }
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), alternatesFile(lender));
}

/** The text of an alternates file that lends the objects of `lender`. */
export function alternatesFile(lender: string): string {
  if (lender.includes('\n'))
    throw new Error(`a git directory with a line break in its path cannot lend objects: ${lender}`);
  return `${join(lender, 'objects')}\n`;
}

/** One element of GIT_ALTERNATE_OBJECT_DIRECTORIES, quoted because a colon separates elements there. */
export function alternateVariable(objectsDirectory: string): string {
  return `"${objectsDirectory.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

function objectFormat(gitDir: string): Promise<string> {
  return git(['rev-parse', '--show-object-format'], { gitDir });
}

/** A shallow source has commits whose parents do not exist; whoever borrows must know where history ends. */
async function copyShallowBoundary(from: string, to: string): Promise<void> {
  try {
    await copyFile(join(from, 'shallow'), join(to, 'shallow'));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
