import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import picomatch from 'picomatch';
import { compareManifests } from '../../workspace/files/compare-manifests.ts';
import { copyDirectory } from '../../workspace/files/copy-directory.ts';
import {
  DEFAULT_MANIFEST_LIMITS,
  type Manifest,
  type ManifestEntry,
  type ManifestLimits,
  manifest,
} from '../../workspace/files/manifest.ts';
import { type CheckSource, type Side, TEXT_MAX_BYTES } from './check-source.ts';

const run = promisify(execFile);
const DIFFED_PATHS_MAX = 50;

/**
 * A directory without git, and the copy that was made of it before the work, where there is one. Within the limits
 * checks run in copies; beyond them in the directory itself, with nothing to compare.
 */
export async function plainSource(place: {
  readonly directory: string;
  readonly baseCopy?: string;
  readonly limits?: ManifestLimits;
}): Promise<CheckSource> {
  const limits = place.limits ?? DEFAULT_MANIFEST_LIMITS;
  const described = await manifest(place.directory, limits);
  const base = place.baseCopy === undefined ? undefined : await manifest(place.baseCopy, limits);
  if (described.kind === 'too_large') return inPlaceSource(place.directory);
  const result = state(place.directory, described.manifest);
  if (place.baseCopy === undefined || base?.kind !== 'manifest') return copySource(result, undefined);
  return copySource(result, state(place.baseCopy, base.manifest));
}

interface State {
  readonly root: string;
  readonly manifest: Manifest;
  readonly byPath: ReadonlyMap<string, ManifestEntry>;
}

function state(root: string, described: Manifest): State {
  return { root, manifest: described, byPath: new Map(described.entries.map((entry) => [entry.path, entry])) };
}

function copySource(result: State, base: State | undefined): CheckSource {
  const stateOf = (side: Side): State => (side === 'base' ? (base ?? result) : result);
  return {
    at: (side) => `content:${stateOf(side).manifest.sha256}`,
    hasBase: base !== undefined,
    subdirectory: '',
    readable: [],
    async checkOut(side, path, { dependencies }) {
      if (!dependencies) return copyListed(stateOf(side), path);
      await copyDirectory(stateOf(side).root, path);
      // Compiled code is loaded before its source is looked at, and the executor may have written it.
      for (const folder of foldersOf(stateOf(side)))
        await rm(join(path, folder, '__pycache__'), { recursive: true, force: true });
    },
    restore: (path, globs) => (base === undefined ? Promise.resolve([]) : restoreFrom(base, result, path, globs)),
    contentHash: async (side, path) => hashOf(stateOf(side), path),
    readText: (side, path) => readBounded(join(stateOf(side).root, path)),
    changedPaths: async () =>
      base === undefined ? [] : [...changed(base, result), ...(await changedPackages(base, result))],
    diff: async (paths) => (base === undefined ? '' : diffOf(base.root, result.root, paths)),
  };
}

/** Too large to copy or to describe: only the checks themselves say something. */
function inPlaceSource(directory: string): CheckSource {
  return {
    at: () => 'content:too-large-to-hash',
    hasBase: false,
    inPlace: directory,
    subdirectory: '',
    readable: [],
    checkOut: () => Promise.reject(new Error('a directory that is checked in place is never copied')),
    restore: async () => [],
    contentHash: async () => 'missing',
    readText: (_, path) => readBounded(join(directory, path)),
    changedPaths: async () => [],
    diff: async () => '',
  };
}

/** Only what the manifest lists, so no installed packages and no caches. */
async function copyListed(from: State, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const path of from.byPath.keys()) await copyEntry(from, path, to);
}

async function copyEntry(from: State, path: string, to: string): Promise<void> {
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true });
  if (from.byPath.get(path)?.kind === 'link') await symlink(await readlink(join(from.root, path)), target);
  else await copyFile(join(from.root, path), target, constants.COPYFILE_FICLONE);
}

async function restoreFrom(base: State, result: State, checkout: string, globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const matches = picomatch([...globs], { dot: true });
  const paths = changed(base, result).filter((path) => matches(path));
  for (const path of paths) await rm(join(checkout, path), { recursive: true, force: true });
  for (const path of paths.filter((candidate) => base.byPath.has(candidate))) await copyEntry(base, path, checkout);
  return paths;
}

function changed(base: State, result: State): string[] {
  return compareManifests(base.manifest, result.manifest).map((change) => change.path);
}

/** Every folder of a state that holds something, '' for the top. */
function foldersOf({ byPath }: State): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const path of byPath.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  }
  return folders;
}

const PACKAGES = ['node_modules', '.venv'];
const PACKAGE_CACHES: ReadonlySet<string> = new Set(['.cache', '.vite', '.vite-temp', '__pycache__', '.git']);

/**
 * Installed packages go along into a check's copy, and a program among them may decide it; so what an executor made
 * of them is named, by folder, although they are nobody's work. Those over the limits of a manifest are not looked at.
 */
async function changedPackages(base: State, result: State): Promise<string[]> {
  const folders = [...new Set([...foldersOf(base), ...foldersOf(result)])].sort();
  const places = folders.flatMap((folder) => PACKAGES.map((name) => (folder === '' ? name : `${folder}/${name}`)));
  const differing: string[] = [];
  for (const place of places) {
    const [before, after] = [await packagesAt(base, place), await packagesAt(result, place)];
    if (before !== after && before !== 'too_large' && after !== 'too_large') differing.push(place);
  }
  return differing;
}

async function packagesAt({ root }: State, place: string): Promise<string> {
  const directory = join(root, place);
  const found = await lstat(directory).catch(() => null);
  if (found === null) return 'missing';
  if (found.isSymbolicLink()) return `link to ${await readlink(directory)}`;
  if (!found.isDirectory()) return 'no directory';
  const described = await manifest(directory, DEFAULT_MANIFEST_LIMITS, PACKAGE_CACHES);
  return described.kind === 'manifest' ? described.manifest.sha256 : 'too_large';
}

function hashOf(described: State, path: string): string {
  const own = described.byPath.get(path);
  if (own !== undefined) return own.sha256;
  const below = described.manifest.entries.filter((entry) => path === '' || entry.path.startsWith(`${path}/`));
  return below.length === 0 ? 'missing' : below.map((entry) => `${entry.path} ${entry.sha256}`).join('\n');
}

async function readBounded(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > TEXT_MAX_BYTES) return undefined;
  return readFile(path, 'utf8');
}

/** By the system's own `diff`; its exit code 1 only says that there is a difference. */
async function diffOf(from: string, to: string, paths: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const path of paths.slice(0, DIFFED_PATHS_MAX)) {
    const args = ['-u', '-N', '--label', `a/${path}`, '--label', `b/${path}`, '--'];
    const text = await run('diff', [...args, join(from, path), join(to, path)], { maxBuffer: TEXT_MAX_BYTES }).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? '',
    );
    parts.push(text);
  }
  return parts.join('');
}
