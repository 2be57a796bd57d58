import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isBeneath } from '../../../../../workspace/sandbox/resolve-policy.ts';
import type { ToolContext } from '../../../tool.ts';

/** Where a command runs: a real directory in the workspace, relative paths starting at the project. */
export async function workingDirectory(
  cwd: string | undefined,
  { workspacePath, projectPath }: Pick<ToolContext, 'workspacePath' | 'projectPath'>,
): Promise<{ readonly path: string } | { readonly refusal: string }> {
  if (cwd?.includes('\0')) return { refusal: 'cwd holds a NUL character.' };
  const path = await realpath(resolve(projectPath, cwd ?? '.')).catch(() => null);
  if (path === null)
    return { refusal: `There is no directory ${cwd ?? '.'} in the workspace; list shows what there is.` };
  if (!isBeneath(path, workspacePath))
    return { refusal: `cwd must be a directory in the workspace, and ${cwd} leads out of it.` };
  if (!(await stat(path)).isDirectory()) return { refusal: `${cwd} is a file; cwd must be a directory.` };
  return { path };
}
