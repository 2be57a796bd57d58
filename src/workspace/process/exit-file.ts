import { readFile } from 'node:fs/promises';

/**
 * The exit code that a finished command left behind, or null if it did not finish. It is written inside the
 * sandbox, so a hostile command can forge it: good enough to avoid repeating a command after a crash of the
 * engine, never the only proof of a criterion.
 */
export async function readExitFile(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^\d{1,3}\n$/.test(text) ? Number(text) : null;
}
