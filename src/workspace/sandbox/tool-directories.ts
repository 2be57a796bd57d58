import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBeneath } from './resolve-policy.ts';

/** What a version manager's directory on PATH needs besides itself, relative to the home directory. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  '.cargo/bin': ['.rustup'],
  '.pyenv/shims': ['.pyenv'],
  '.pyenv/bin': ['.pyenv'],
  '.rbenv/shims': ['.rbenv'],
  '.asdf/shims': ['.asdf'],
  '.volta/bin': ['.volta'],
  '.bun/bin': ['.bun'],
};

/**
 * The directories beneath `userHome` that the tools on the person's own `path` need: each PATH entry, the
 * `lib` beside a `bin` (npm lives there), the targets of links in it, and the version managers we know.
 * Never the home directory itself, and nothing outside it (that is visible anyway).
 */
export async function toolDirectories(spec: { path: string; userHome: string }): Promise<string[]> {
  const entries = spec.path.split(':').filter((entry) => entry.startsWith('/') && inside(entry, spec.userHome));
  const found = new Set<string>();
  for (const entry of entries) {
    for (const path of [entry, ...beside(entry, spec.userHome), ...(await linkTargets(entry))]) {
      if (inside(path, spec.userHome) && (await exists(path))) found.add(path);
    }
  }
  return [...found].sort();
}

function inside(path: string, userHome: string): boolean {
  return path !== userHome && isBeneath(path, userHome);
}

function beside(entry: string, userHome: string): string[] {
  const companions = (COMPANIONS[entry.slice(userHome.length + 1)] ?? []).map((name) => join(userHome, name));
  return basename(entry) === 'bin' ? [...companions, join(dirname(entry), 'lib')] : companions;
}

async function linkTargets(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const links = entries.filter((entry) => entry.isSymbolicLink());
    return await Promise.all(links.map(({ name }) => realpath(join(directory, name)).catch(() => directory)));
  } catch {
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
