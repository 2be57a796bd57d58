import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';

/** `cp` of GNU shares blocks where the file system can; others get a plain copy. Neither ever makes links. */
const FLAGS = process.platform === 'linux' ? ['-a', '--reflink=auto'] : ['-pPR'];

/**
 * Makes `to` hold a private copy of everything in `from`: modes, times and symbolic links as they are, no shared
 * inode. `to` is created; what it holds already is kept or overwritten. Runs as a child process, so that a large
 * copy stalls nobody. Throws with cp's own words when anything could not be copied.
 */
export async function copyDirectory(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to, { recursive: true });
  await copyPaths([`${from}/.`], to, signal);
}

/** Copies each path into the directory `to` under its own last name; otherwise as {@link copyDirectory}. */
export function copyPaths(paths: readonly string[], to: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // `from/.` must reach cp as written: it means "the content of".
    const sources = paths.map((path) => (path.startsWith('-') ? `./${path}` : path));
    const child = spawn('cp', [...FLAGS, '--', ...sources, to], { stdio: ['ignore', 'ignore', 'pipe'], signal });
    const complaints: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const words = Buffer.concat(complaints).toString('utf8').trim().slice(0, 2000);
      reject(new Error(`cp into ${to} ended with ${code ?? 'a signal'}: ${words}`));
    });
  });
}
