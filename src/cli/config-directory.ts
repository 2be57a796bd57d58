import { resolve } from 'node:path';
import type { Shell } from './shell.ts';

/** The person's own VPs, MCP servers and the like: `WORKCENTER_CONFIG`, else the usual place. Absolute. */
export async function configDirectory(shell: Pick<Shell, 'env' | 'cwd'>): Promise<string> {
  const wanted = shell.env.WORKCENTER_CONFIG;
  if (wanted !== undefined && wanted !== '') return resolve(shell.cwd, wanted);
  const { default: envPaths } = await import('env-paths');
  return envPaths('workcenter', { suffix: '' }).config;
}
