import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist', 'web');
const SOURCES = ['web', 'src/client', 'src/core'].map((each) => join(ROOT, each));

async function newestIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(0, ...times);
}

async function build(target: string): Promise<string> {
  const own = `${target}.${process.pid}`;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', 'web', '--config', 'web/vite.config.ts', '--outDir', own, '--emptyOutDir'];
  // As it is shipped, not as a test would have it.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [...args, '--logLevel', 'error'], { cwd: ROOT, env });
  try {
    await rename(own, target);
  } catch {
    // Another test file was faster with the same.
    await rm(own, { recursive: true, force: true });
  }
  return target;
}

/**
 * The folder of the page as it is in the source: that of the build where that is as new, as after an install, else built
 * for the tests, once for each state of the source.
 */
export async function builtPage(): Promise<string> {
  const newest = Math.max(...(await Promise.all(SOURCES.map(newestIn))));
  const index = await stat(join(BUILT, 'index.html')).catch(() => undefined);
  if (index && index.mtimeMs >= newest) return BUILT;
  const cache = join(ROOT, 'node_modules', '.cache', 'workcenter-page');
  const target = join(cache, String(Math.round(newest)));
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  return build(target);
}
