import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Shell } from './shell.ts';

/** `WORKCENTER_HOME`, else where programs of this system keep their data. Absolute. */
export async function dataDirectory(shell: Pick<Shell, 'env' | 'cwd'>): Promise<string> {
  const wanted = shell.env.WORKCENTER_HOME;
  if (wanted !== undefined && wanted !== '') return resolve(shell.cwd, wanted);
  const { default: envPaths } = await import('env-paths');
  return envPaths('workcenter', { suffix: '' }).data;
}

/**
 * Makes the data directory, private to its owner, and what is missing above it. One level at a time: Node's own
 * recursive call never returns for a place such as `/proc/x`, where a directory is refused as if it were missing.
 * Throws what the file system says.
 */
export async function makeDataDirectory(root: string): Promise<void> {
  const there = await stat(root).catch(() => undefined);
  if (there?.isDirectory()) return;
  if (there === undefined && dirname(root) !== root) await makeDataDirectory(dirname(root));
  await mkdir(root, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have been quicker.
    if (!(await stat(root).catch(() => undefined))?.isDirectory()) throw error;
  });
}
