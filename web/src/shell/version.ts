import { useSyncExternalStore } from 'react';

/** The page and its server are not of the same version any more; both by name. */
export interface OtherVersion {
  readonly page: string;
  readonly server: string;
}

let atLoad: string | undefined;
let other: OtherVersion | undefined;
const listeners = new Set<() => void>();

async function versionOfServer(): Promise<string | undefined> {
  try {
    const health: unknown = await (await fetch('/healthz', { cache: 'no-store' })).json();
    const isSaid = typeof health === 'object' && health !== null && 'version' in health;
    return isSaid && typeof health.version === 'string' ? health.version : undefined;
  } catch {
    return undefined;
  }
}

/** Asked whenever a connection is made: the first server is the one that sent this page. */
export async function lookAtVersion(): Promise<void> {
  const server = await versionOfServer();
  if (server === undefined) return;
  atLoad ??= server;
  const next = server === atLoad ? undefined : { page: atLoad, server };
  if (next?.server === other?.server) return;
  other = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useOtherVersion = (): OtherVersion | undefined => useSyncExternalStore(subscribe, () => other);
