import { resolve } from 'node:path';
import type { Shell } from './shell.ts';

/** `WORKCENTER_HOME`, else where programs of this system keep their data. Absolute. */
export async function dataDirectory(shell: Pick<Shell, 'env' | 'cwd'>): Promise<string> {
  const wanted = shell.env.WORKCENTER_HOME;
  if (wanted !== undefined && wanted !== '') return resolve(shell.cwd, wanted);
  const { default: envPaths } = await import('env-paths');
  return envPaths('workcenter', { suffix: '' }).data;
}
