import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../files/file-errors.ts';

/** One path as a pattern that matches it alone; git reads the rest of a line as a glob. */
const asPattern = (path: string): string => `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;

/**
 * Makes git at `gitDir` ignore exactly these paths (from the top) and what is in them, beside the tree's own rules.
 * Adding the same path again changes nothing.
 */
export async function excludePaths(gitDir: string, paths: readonly string[]): Promise<void> {
  const file = join(gitDir, 'info', 'exclude');
  const text = await readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) return '';
    throw error;
  });
  const known = new Set(text.split('\n'));
  const added = paths.map(asPattern).filter((pattern) => !known.has(pattern));
  if (added.length === 0) return;
  await mkdir(join(gitDir, 'info'), { recursive: true });
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await writeFile(`${file}.tmp`, `${text}${separator}${added.join('\n')}\n`);
  await rename(`${file}.tmp`, file);
}
