import { mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { copyBorrowing, initBorrowing } from '../engine-repository/borrowed-objects.ts';
import { copyWithin, type NotCopied } from '../files/copy-within.ts';
import { isRealDirectory, lstatIfAny } from '../files/look.ts';
import { removeTree } from '../files/remove-tree.ts';
import { feed, type RawPath, shown } from '../git/raw-paths.ts';
import type { EngineRepository, GitRepository } from '../git/repository.ts';
import { type GitOptions, git } from '../git/run-git.ts';
import { putSubmodulesBack, takeSubmodulesOut } from './submodules.ts';
import { candidates, type Omission, sortOut } from './write-tree.ts';

export interface LiveLimits {
  /** A changed file larger than this is named, not read. */
  readonly maxFileBytes: number;
  /** Of all files that are read. */
  readonly maxBytes: number;
  /** Changed and new files beyond this number are named, not read. */
  readonly maxFiles: number;
  /** For each git that is asked. */
  readonly timeoutMs: number;
}

export const LIVE_LIMITS: LiveLimits = Object.freeze({
  maxFileBytes: 1024 * 1024,
  maxBytes: 16 * 1024 * 1024,
  maxFiles: 1_000,
  timeoutMs: 20_000,
});

/** A directory at one moment, beside what it is compared with; only as long as somebody looks at it. */
export interface LiveTrees {
  /** Holds both, and nothing else. */
  readonly repo: GitRepository;
  readonly before: string;
  readonly after: string;
  /** What is there and not in `after`: it stands there as it was before, or not at all. */
  readonly omitted: readonly Omission[];
}

/** What is thrown away at once needs no flush. */
const UNFLUSHED = ['-c', 'core.fsync=none'];

/**
 * Shows what differs between `base` and the files of a workspace that somebody works in. The workspace and its git
 * directory are only read, and so is the engine's repository: objects, index and copies of what changed are in a
 * directory of their own beneath `scratch`, which is gone afterwards. Undefined when there is no workspace.
 *
 * Unlike `writeWorkTree` it is asked while processes write and may swap folders for links: git itself never opens a
 * file there for its content but to see whether a tracked one still has its hash; `copyWithin` does.
 */
export async function withLiveTree<T>(
  request: {
    readonly repo: EngineRepository;
    readonly path: string;
    readonly base: string;
    readonly scratch: string;
    readonly limits?: LiveLimits;
  },
  work: (live: LiveTrees) => Promise<T>,
): Promise<T | undefined> {
  const { repo, path, base, scratch, limits = LIVE_LIMITS } = request;
  if (!(await isRealDirectory(path))) return undefined;
  const root = await realpath(path);
  return inScratch(scratch, repo.gitDir, async (own) => {
    const indexFile = join(own.gitDir, 'index');
    const reading: GitOptions = { gitDir: own.gitDir, workTree: root, indexFile, timeoutMs: limits.timeoutMs };
    await git(['read-tree', base], reading);
    const submodules = await takeSubmodulesOut(reading);
    const { gone: deleted, present } = await candidates(reading);
    // What is beyond is not even looked at.
    const found = { gone: deleted, present: present.slice(0, limits.maxFiles) };
    const { take, drop, omitted } = await sortOut(root, found, submodules, limits);
    const { left, copies } = await addCopies(own, { root, paths: take, limits });
    const gone = [...left].flatMap(([path, why]) => (why === 'gone' ? [path] : []));
    await feed(['update-index', '-z', '--force-remove', '--stdin'], [...drop, ...gone], copies);
    await putSubmodulesBack(root, submodules, reading);
    const after = await git([...UNFLUSHED, 'write-tree'], copies);
    const beyond = overFull(present.slice(limits.maxFiles));
    return work({ repo: own, before: base, after, omitted: [...omitted, ...omissions(left), ...beyond] });
  });
}

/**
 * The same for a directory that no git of ours knows: these paths of it, and what they were in the copy that was made
 * before the work.
 */
export function withPlainTrees<T>(
  request: {
    readonly before: string;
    readonly after: string;
    readonly paths: readonly string[];
    readonly scratch: string;
    readonly limits?: LiveLimits;
  },
  work: (live: LiveTrees) => Promise<T>,
): Promise<T> {
  const { scratch, limits = LIVE_LIMITS } = request;
  const raw = request.paths.map((path) => Buffer.from(path).toString('latin1'));
  return inScratch(scratch, undefined, async (own) => {
    const tree = async (directory: string) => {
      await git(['read-tree', '--empty'], { gitDir: own.gitDir, indexFile: join(own.gitDir, 'index') });
      const root = await realpath(directory);
      const { left, copies } = await addCopies(own, { root, paths: raw.slice(0, limits.maxFiles), limits });
      return { left, tree: await git([...UNFLUSHED, 'write-tree'], copies) };
    };
    const [before, after] = [await tree(request.before), await tree(request.after)];
    const omitted = [...omissions(new Map([...before.left, ...after.left])), ...overFull(raw.slice(limits.maxFiles))];
    return work({ repo: own, before: before.tree, after: after.tree, omitted });
  });
}

async function inScratch<T>(
  scratch: string,
  lender: string | undefined,
  work: (own: GitRepository) => Promise<T>,
): Promise<T> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  await removeAbandoned(scratch);
  const gitDir = await mkdtemp(join(scratch, 'live-'));
  try {
    await (lender === undefined ? initBorrowing(gitDir, lender, { bare: true }) : copyBorrowing(gitDir, lender));
    return await work({ gitDir });
  } finally {
    await removeTree(gitDir);
  }
}

/** Longer than any look takes. */
const ABANDONED_MS = 3_600_000;

/** What was left by engines that were killed while somebody looked. */
async function removeAbandoned(scratch: string): Promise<void> {
  for (const name of await readdir(scratch)) {
    const info = await lstatIfAny(join(scratch, name));
    if (info && Date.now() - info.mtimeMs > ABANDONED_MS) await removeTree(join(scratch, name));
  }
}

/** Puts private copies of these files into the index of `own`. */
async function addCopies(
  own: GitRepository,
  request: { readonly root: string; readonly paths: readonly RawPath[]; readonly limits: LiveLimits },
) {
  const { root, paths, limits } = request;
  const workTree = await mkdtemp(join(own.gitDir, 'files-'));
  const { maxFileBytes, maxBytes, timeoutMs } = limits;
  const { copied, left } = await copyWithin({ root, paths, to: workTree, maxFileBytes, maxBytes });
  const copies: GitOptions = { gitDir: own.gitDir, workTree, indexFile: join(own.gitDir, 'index'), timeoutMs };
  await feed([...UNFLUSHED, 'update-index', '-z', '--add', '--replace', '--stdin'], copied, copies);
  return { left, copies };
}

const overFull = (paths: readonly RawPath[]): readonly Omission[] =>
  paths.map((path) => ({ path: shown(path), reason: 'too_many_files' }));

const omissions = (left: ReadonlyMap<RawPath, NotCopied>): readonly Omission[] =>
  [...left].flatMap(([path, reason]) => (reason === 'gone' ? [] : [{ path: shown(path), reason }]));
