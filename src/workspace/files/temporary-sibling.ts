import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MARK = '.preparing-';

/**
 * A new directory beside `path`, to be filled and then renamed to `path`. Never a name used before: a git process that
 * outlived a killed engine may still be writing to the last one. Those of earlier attempts are removed where possible.
 */
export async function temporarySibling(path: string): Promise<string> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const prefix = basename(path) + MARK;
  for (const name of await readdir(parent)) {
    // Left for the next attempt when something still writes there.
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(path + MARK);
}
