import { mkdir, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Makes what a plan opens below the person's home directory (a login, a configuration) appear at the same place below
 * the private home of a Run: programs look for it beneath HOME. Links, not mounts, so that it is the same without a
 * sandbox. Paths elsewhere, the home itself, and what does not exist are left alone.
 */
export async function linkIntoHome(home: string, userHome: string, paths: readonly string[]): Promise<void> {
  const inside = [...new Set(paths.map((path) => relative(userHome, path)))]
    .filter((path) => path !== '' && !path.startsWith('..') && !path.startsWith('/'))
    .sort();
  const linked: string[] = [];
  for (const path of inside) {
    const isCovered = linked.some((above) => path.startsWith(`${above}/`));
    if (isCovered || !(await exists(join(userHome, path)))) continue;
    const at = join(home, path);
    await mkdir(dirname(at), { recursive: true });
    await symlink(join(userHome, path), at);
    linked.push(path);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
