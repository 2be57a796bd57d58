import { realpath, stat } from 'node:fs/promises';
import type { SandboxPolicy } from './policy.ts';

/**
 * The policy with real paths only. `hidden` entries that are files move to `hiddenFiles`; entries that do
 * not exist are dropped. An entry beneath a directory the command can write to whose real path leads out of
 * it is dropped as well: the command may have planted the link to have its target uncovered.
 * Throws if `workspace`, `home` or `temp` does not exist.
 */
export async function resolvePolicy(policy: SandboxPolicy): Promise<SandboxPolicy> {
  const [workspace, home, temp] = await Promise.all(
    [policy.workspace, policy.home, policy.temp].map((path) => realpath(path)),
  );
  if (workspace === undefined || home === undefined || temp === undefined) throw new Error('unreachable');
  const open = [policy.workspace, policy.home, policy.temp, ...policy.writable];
  const writable = await realEntries(policy.writable, [policy.workspace, policy.home, policy.temp]);
  const hidden = await realEntries([...policy.hidden, ...(policy.hiddenFiles ?? [])], []);
  const userHome = (await realEntries([policy.userHome], []))[0];
  return {
    ...policy,
    workspace,
    home,
    temp,
    writable: writable.map(({ path }) => path),
    readable: (await realEntries(policy.readable, open)).map(({ path }) => path),
    // A linked PATH directory has to exist under both of its names.
    toolPaths: [...policy.toolPaths, ...(await realEntries(policy.toolPaths, open)).map(({ path }) => path)],
    hidden: hidden.filter(({ directory }) => directory).map(({ path }) => path),
    hiddenFiles: hidden.filter(({ directory }) => !directory).map(({ path }) => path),
    // A home that does not exist cannot be mounted over, and hides nothing: the private one stands in.
    userHome: userHome?.path ?? home,
  };
}

interface RealEntry {
  readonly path: string;
  readonly directory: boolean;
}

async function realEntries(paths: readonly string[], open: readonly string[]): Promise<RealEntry[]> {
  const entries = await Promise.all(paths.map((path) => realEntry(path, open)));
  return entries.filter((entry) => entry !== null);
}

async function realEntry(path: string, open: readonly string[]): Promise<RealEntry | null> {
  try {
    const real = await realpath(path);
    for (const root of open.filter((candidate) => isBeneath(path, candidate))) {
      if (!isBeneath(real, await realpath(root))) return null;
    }
    return { path: real, directory: (await stat(real)).isDirectory() };
  } catch {
    return null;
  }
}

/** Whether `path` is `root` or lies below it; both absolute. */
export function isBeneath(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
