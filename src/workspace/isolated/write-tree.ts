import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { isRealDirectory, isRegularFile, lookAt } from '../files/look.ts';
import { feed, list, onDisk, type RawPath, shown, splitRaw } from '../git/raw-paths.ts';
import type { EngineRepository } from '../git/repository.ts';
import { type GitOptions, git, runGitBytes } from '../git/run-git.ts';
import { withTemporaryIndex } from '../git/temporary-index.ts';
import { putSubmodulesBack, takeSubmodulesOut } from './submodules.ts';

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

/** What may have to be written anew. */
export interface Candidates {
  /** Tracked files that are gone, or out of reach behind a link: to git the same. */
  readonly gone: readonly RawPath[];
  /** Tracked files that differ, and files that are neither tracked nor ignored. */
  readonly present: readonly RawPath[];
}

/** What differs from the index of `at`; only the index is written. */
export async function candidates(at: GitOptions): Promise<Candidates> {
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

/** What of it can be taken, what has to go, and what stays as it was, with the reason. */
export async function sortOut(
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
  const info = await lookAt(onDisk(root, path));
  if (info === 'unreadable') return info;
  if (info === undefined || info.isDirectory()) return 'gone';
  if (info.isSymbolicLink()) return 'file';
  if (!info.isFile()) return 'special_file';
  if (info.size > limits.maxFileBytes) return 'too_large';
  return (await isReadable(onDisk(root, path))) ? 'file' : 'unreadable';
}

async function isReadable(path: Buffer): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
