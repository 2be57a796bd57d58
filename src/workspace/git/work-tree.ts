import type { Stats } from 'node:fs';
import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRealDirectory, isRegularFile } from './executor-head.ts';
import { isMissing } from './file-errors.ts';
import type { EngineRepository } from './repository.ts';
import { GitFailure, type GitOptions, git, runGitBytes } from './run-git.ts';
import { withTemporaryIndex } from './temporary-index.ts';

export interface CaptureLimits {
  /** A changed file larger than this is left out (its base version stays). */
  readonly maxFileBytes: number;
  /** Changed and new files beyond this number are left out. */
  readonly maxFiles: number;
}

export const DEFAULT_CAPTURE_LIMITS: CaptureLimits = Object.freeze({
  maxFileBytes: 100 * 1024 * 1024,
  maxFiles: 20_000,
});

export type OmissionReason =
  | 'too_large'
  | 'too_many_files'
  | 'nested_repository'
  | 'submodule'
  | 'special_file'
  | 'unreadable';

export interface Omission {
  readonly path: string;
  readonly reason: OmissionReason;
}

export interface WrittenTree {
  readonly tree: string;
  readonly omitted: readonly Omission[];
}

/**
 * Paths are handled as one character per byte until they are shown: a name that is not UTF-8 must reach git
 * unchanged, or its file would be silently left out.
 */
type RawPath = string;

/**
 * Writes the files of a directory as a tree object, without running anything that the directory configures: the git
 * directory and the index are ours, so no hook, filter, fsmonitor or textconv of the executor is known to git here.
 * Ignore rules and line-ending attributes of the tree itself apply, as git promises. Files tracked in `start` count
 * even when ignored. Submodule entries of `start` are carried over unseen, because asking git about a populated one
 * would run git *in* it.
 */
export function writeWorkTree(request: {
  readonly repo: EngineRepository;
  readonly path: string;
  /** Commit or tree that says what is tracked. */
  readonly start: string;
  readonly limits: CaptureLimits;
}): Promise<WrittenTree> {
  const { repo, path, start, limits } = request;
  return withTemporaryIndex(repo, async (indexFile) => {
    const at: GitOptions = { gitDir: repo.gitDir, workTree: path, indexFile, timeoutMs: 900_000 };
    await git(['read-tree', start], at);
    const submodules = await takeSubmodulesOut(at);
    const stated = await sortOut(path, await candidates(at), submodules, limits);
    await feed(['update-index', '-z', '--force-remove', '--stdin'], stated.drop, at);
    await feed(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], stated.take, at);
    await putSubmodulesBack(path, submodules, at);
    return { tree: await git(['write-tree'], at), omitted: stated.omitted };
  });
}

/** Removes the submodule entries from the index of `at` and returns them as path → commit. */
export async function takeSubmodulesOut(at: GitOptions): Promise<Map<RawPath, string>> {
  const submodules = new Map<RawPath, string>();
  for (const line of await list(['ls-files', '-s', '-z'], at)) {
    const match = /^160000 ([0-9a-f]+) \d\t([\s\S]*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) submodules.set(match[2], match[1]);
  }
  if (submodules.size > 0) await feed(['update-index', '-z', '--force-remove', '--stdin'], [...submodules.keys()], at);
  return submodules;
}

/** Runs a listing command with `-z` and returns its raw fields. */
export async function list(args: readonly string[], at: GitOptions): Promise<RawPath[]> {
  const result = await runGitBytes(args, { ...at, maxBytes: 256 * 1024 * 1024 });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return splitRaw(result.stdout);
}

function splitRaw(bytes: Buffer): RawPath[] {
  const fields = bytes.toString('latin1').split('\0');
  return fields.filter((field) => field !== '');
}

/** Gives raw paths to a command that reads NUL-terminated names. */
export async function feed(args: readonly string[], paths: readonly RawPath[], at: GitOptions): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const result = await runGitBytes(args, { ...at, input });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
}

/** A raw path as people read it. */
export function shown(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** A raw path below `root`, as Node's file functions take it. */
export function onDisk(root: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

interface Candidates {
  /** Tracked files that are gone, or out of reach behind a link: to git the same. */
  readonly gone: readonly RawPath[];
  /** Tracked files that differ, and files that are neither tracked nor ignored. */
  readonly present: readonly RawPath[];
}

async function candidates(at: GitOptions): Promise<Candidates> {
  // The exit code only says that some file differs, which is what we are about to ask.
  await runGitBytes(['update-index', '-q', '--refresh'], at);
  const differ = await list(['diff-files', '-z', '--name-status', '--no-renames', '--ignore-submodules=all'], at);
  const others = await list(['ls-files', '-z', '--others', '--exclude-standard'], at);
  const added = [...others, ...(await stagedAgainstIgnore(at))];
  const gone: RawPath[] = [];
  const present = new Set<RawPath>(added);
  for (let i = 0; i + 1 < differ.length; i += 2) {
    const path = differ[i + 1] ?? '';
    if (differ[i] === 'D') gone.push(path);
    else present.add(path);
  }
  return { gone, present: [...present].sort() };
}

/**
 * What the executor added by force and has not committed. Its index is only read, as a list of names; one that git
 * cannot read says nothing.
 */
async function stagedAgainstIgnore(at: GitOptions): Promise<RawPath[]> {
  const gitDir = join(at.workTree ?? '', '.git');
  const indexFile = join(gitDir, 'index');
  if (!(await isRealDirectory(gitDir)) || !(await isRegularFile(indexFile))) return [];
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const result = await runGitBytes(args, { ...at, indexFile });
  return result.code === 0 ? splitRaw(result.stdout) : [];
}

async function sortOut(
  root: string,
  found: Candidates,
  submodules: ReadonlyMap<RawPath, string>,
  limits: CaptureLimits,
): Promise<{ take: RawPath[]; drop: RawPath[]; omitted: Omission[] }> {
  const take: RawPath[] = [];
  const drop = [...found.gone];
  const omitted: Omission[] = [];
  for (const path of found.present) {
    const state = await stateOf(root, path, submodules, limits);
    if (state === 'gone') drop.push(path);
    else if (state !== 'file') omitted.push({ path: shown(path), reason: state });
    else if (take.length < limits.maxFiles) take.push(path);
    else omitted.push({ path: shown(path), reason: 'too_many_files' });
  }
  return { take, drop, omitted };
}

async function stateOf(
  root: string,
  path: RawPath,
  submodules: ReadonlyMap<RawPath, string>,
  limits: CaptureLimits,
): Promise<OmissionReason | 'file' | 'gone'> {
  for (const submodule of submodules.keys()) {
    if (path.startsWith(`${submodule}/`)) return 'submodule';
  }
  // ls-files names a repository inside the directory by a final slash and does not look into it.
  if (path.endsWith('/')) return 'nested_repository';
  const info = await look(onDisk(root, path));
  if (info === 'unreadable') return info;
  if (info === undefined || info.isDirectory()) return 'gone';
  if (info.isSymbolicLink()) return 'file';
  if (!info.isFile()) return 'special_file';
  if (info.size > limits.maxFileBytes) return 'too_large';
  return (await isReadable(onDisk(root, path))) ? 'file' : 'unreadable';
}

/** What is at the path; undefined for nothing. A folder we may not enter must not make its files look deleted. */
async function look(path: Buffer): Promise<Stats | 'unreadable' | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    return isMissing(error) ? undefined : 'unreadable';
  }
}

async function isReadable(path: Buffer): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** A submodule stays unless the executor put a file in its place. */
async function putSubmodulesBack(
  root: string,
  submodules: ReadonlyMap<RawPath, string>,
  at: GitOptions,
): Promise<void> {
  const entries: RawPath[] = [];
  for (const [path, commit] of submodules) {
    const info = await look(onDisk(root, path));
    if (info === undefined || info === 'unreadable' || info.isDirectory()) entries.push(`160000 ${commit} 0\t${path}`);
  }
  await feed(['update-index', '-z', '--index-info'], entries, at);
}
