import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../../engine/home.ts';
import { standingOf, thisWorker, type Worker } from '../../engine/worker.ts';
import type { Shell } from '../shell.ts';

/** Where the server of this data directory is, and what lets its owner in; readable by them alone. */
export interface ServerFile extends Omit<Worker, 'owner'> {
  readonly url: string;
  /** Of this start only; it has the authority of whoever may read the data directory. */
  readonly token: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A data directory, and who asks about it. */
export interface ServerPlace {
  readonly home: Home;
  readonly shell: Shell;
}

const pathOf = ({ home }: ServerPlace): string => join(home.root, 'server.json');

const TEXTS = ['url', 'token', 'startedAt', 'machine', 'startTime', 'bootId', 'version'] as const;

function parse(text: string): ServerFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const isWhole = TEXTS.every((name) => typeof Reflect.get(value, name) === 'string');
    return isWhole && 'pid' in value && typeof value.pid === 'number' ? (value as ServerFile) : undefined;
  } catch {
    return undefined;
  }
}

const stored = async (place: ServerPlace): Promise<ServerFile | undefined> =>
  parse(await readFile(pathOf(place), 'utf8').catch(() => ''));

/** Says where this process serves; answers how to take it back, which leaves alone what another process has said since. */
export async function announceServer(place: ServerPlace, url: string, token: string): Promise<() => Promise<void>> {
  const { pid, version, now } = place.shell;
  const { owner: _owner, ...worker } = await thisWorker(pid, version);
  const file: ServerFile = { url, token, startedAt: new Date(now()).toISOString(), ...worker };
  const path = pathOf(place);
  // Whole or not at all, and never readable by others.
  const half = `${path}.${randomUUID()}`;
  await writeFile(half, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(half, path);
  return async () => {
    if ((await stored(place))?.token === token) await rm(path, { force: true });
  };
}

/** The server of this data directory as far as it provably lives and is of this version; stale files are ignored. */
export async function announcedServer(place: ServerPlace): Promise<ServerFile | undefined> {
  const file = await stored(place);
  const { pid, version } = place.shell;
  if (!file || file.version !== version) return undefined;
  const self = await thisWorker(pid, version);
  return (await standingOf({ ...file, owner: '' }, self)) === 'alive' ? file : undefined;
}
