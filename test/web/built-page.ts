import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtOnce, newestIn, ROOT } from '../support/built-once.ts';

const BUILT = join(ROOT, 'dist', 'web');

async function build(target: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', 'web', '--config', 'web/vite.config.ts', '--outDir', target, '--emptyOutDir'];
  // As it is shipped, not as a test would have it.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [...args, '--logLevel', 'error'], { cwd: ROOT, env });
}

/**
 * The folder of the page as it is in the source: that of the build where that is as new, as after an install, else built
 * for the tests.
 */
export async function builtPage(): Promise<string> {
  const newest = await newestIn(['web', 'src/client', 'src/core']);
  const index = await stat(join(BUILT, 'index.html')).catch(() => undefined);
  if (index && index.mtimeMs >= newest) return BUILT;
  return builtOnce('workcenter-page', newest, build);
}
