import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** One entry of a directory; `sha256` is that of the content, or of the destination's text for a link. */
export interface ManifestEntry {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'link';
  /** Permission bits; 0 for a link, which has none of its own. */
  readonly mode: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface Manifest {
  /** Sorted by path, bytewise. */
  readonly entries: readonly ManifestEntry[];
  readonly totalBytes: number;
  /** Hash of all entries: equal for directories of equal content, names, links and modes. */
  readonly sha256: string;
}

export interface ManifestLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export const DEFAULT_MANIFEST_LIMITS: ManifestLimits = Object.freeze({
  maxFiles: 100_000,
  maxBytes: 2 * 1024 * 1024 * 1024,
});

export type ManifestResult =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'too_large'; readonly limit: 'files' | 'bytes'; readonly found: number; readonly allowed: number };

/**
 * Directories that say nothing about the work: what a package manager fills, what tools cache, a version control
 * system's own store. They are not described, compared or restored; a copy still carries them.
 */
const IGNORED_DIRECTORIES: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  '.venv',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.cache',
]);

/**
 * Describes a directory by content (D23, D30: what stands in for a commit where there is no git). Links are described,
 * never followed; sockets and devices are left out. Empty directories do not count, as in git. Reads as streams and
 * stops as soon as a limit is passed.
 */
export async function manifest(
  directory: string,
  limits: ManifestLimits = DEFAULT_MANIFEST_LIMITS,
  ignored: ReadonlySet<string> = IGNORED_DIRECTORIES,
): Promise<ManifestResult> {
  const listed = await list(directory, limits, ignored);
  if (listed.kind === 'too_large') return listed;
  const entries: ManifestEntry[] = [];
  for (const path of listed.paths.sort(bytewise)) {
    const entry = await describe(directory, path);
    if (entry !== null) entries.push(entry);
  }
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(`${entry.kind} ${entry.mode.toString(8)} ${entry.sha256} ${entry.path}\0`);
  const totalBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  return { kind: 'manifest', manifest: { entries, totalBytes, sha256: hash.digest('hex') } };
}

type Listing = { readonly kind: 'listed'; readonly paths: string[] } | Extract<ManifestResult, { kind: 'too_large' }>;

async function list(directory: string, limits: ManifestLimits, ignored: ReadonlySet<string>): Promise<Listing> {
  const paths: string[] = [];
  const pending = [''];
  let bytes = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!ignored.has(entry.name)) pending.push(path);
        continue;
      }
      if (!counts(entry)) continue;
      paths.push(path);
      bytes += entry.isFile() ? await sizeOf(join(directory, path)) : 0;
      const { maxFiles, maxBytes } = limits;
      if (paths.length > maxFiles) return { kind: 'too_large', limit: 'files', found: paths.length, allowed: maxFiles };
      if (bytes > maxBytes) return { kind: 'too_large', limit: 'bytes', found: bytes, allowed: maxBytes };
    }
  }
  return { kind: 'listed', paths };
}

function counts(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

async function sizeOf(path: string): Promise<number> {
  return (await lstat(path).catch(absent))?.size ?? 0;
}

async function describe(directory: string, path: string): Promise<ManifestEntry | null> {
  const full = join(directory, path);
  const stats = await lstat(full).catch(absent);
  if (stats === null) return null;
  const hash = createHash('sha256');
  if (stats.isSymbolicLink()) {
    const destination = await readlink(full, { encoding: 'buffer' });
    const sha256 = hash.update(destination).digest('hex');
    return { path, kind: 'link', mode: 0, sizeBytes: destination.length, sha256 };
  }
  await pipeline(createReadStream(full), hash);
  return { path, kind: 'file', mode: stats.mode & 0o777, sizeBytes: stats.size, sha256: hash.digest('hex') };
}

/** A file that vanished while we looked is simply not there. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
