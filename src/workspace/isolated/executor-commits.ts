import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alternatesFile, alternateVariable } from '../engine-repository/borrowed-objects.ts';
import { isRealDirectory, lstatIfAny, readSmallFile } from '../files/look.ts';
import { readRef } from '../git/refs.ts';
import type { EngineRepository } from '../git/repository.ts';
import { type GitOptions, git, runGit } from '../git/run-git.ts';
import { readExecutorHead } from './executor-head.ts';

/** What became of the commits that an executor made by itself. */
export type ExecutorHistory =
  /** They descend from the base and are in the engine's repository now; `commits` oldest first, at most 1,000 named. */
  | { readonly kind: 'kept'; readonly head: string; readonly commits: readonly string[] }
  /** HEAD does not descend from the base (amended, rebased, re-initialised). */
  | { readonly kind: 'diverged'; readonly head: string }
  /** A commit holds a file over the size limit, so none is imported. */
  | { readonly kind: 'oversized'; readonly head: string }
  /** Their words may not be published: see `CaptureRequest.mayPublish`. */
  | { readonly kind: 'unpublishable'; readonly head: string }
  /** No HEAD, or objects that are missing, damaged or not allowed. */
  | { readonly kind: 'unreadable'; readonly reason: string };

interface ImportRequest {
  readonly repo: EngineRepository;
  readonly path: string;
  readonly base: string;
  readonly maxFileBytes: number;
}

/** A commit graph or a pack index is a claim of the executor about its objects; only the objects count. */
const DISTRUST = ['-c', 'core.commitGraph=false', '-c', 'core.multiPackIndex=false'];
const MAX_NAMED_COMMITS = 1000;

/**
 * Brings the executor's commits since `base` into the engine's repository. Its objects are read as data through our
 * own git directory and pass `index-pack --strict`, which recomputes every id and checks every link, before any of
 * them is visible to us.
 */
export async function importExecutorCommits(request: ImportRequest): Promise<ExecutorHistory> {
  const found = await readExecutorHead(request.path);
  if (found.kind === 'none') return { kind: 'unreadable', reason: found.reason };
  const head = found.commit;
  if (head === request.base) return { kind: 'kept', head, commits: [] };
  const objects = join(request.path, '.git', 'objects');
  if (!(await lendsOnlyOurs(objects, request.repo.gitDir))) {
    return { kind: 'unreadable', reason: 'the object directory or its alternates were replaced' };
  }
  return importReadable({ ...request, head, objects });
}

async function importReadable(request: ImportRequest & { head: string; objects: string }): Promise<ExecutorHistory> {
  const { repo, base, head } = request;
  const reading: GitOptions = {
    gitDir: repo.gitDir,
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternateVariable(request.objects) },
  };
  const descends = await runGit([...DISTRUST, 'merge-base', '--is-ancestor', base, head], reading);
  if (descends.code === 1) return { kind: 'diverged', head };
  if (descends.code !== 0) return { kind: 'unreadable', reason: descends.stderr.trim() };
  if (!(await isPresent(repo, head))) {
    const size = await holdsOversized(request, reading);
    if (size.kind !== 'fits') return size.kind === 'oversized' ? { kind: 'oversized', head } : size;
    const refusal = await copyObjects(repo, base, head, reading);
    if (refusal !== undefined) return { kind: 'unreadable', reason: refusal };
  }
  const args = ['rev-list', '--topo-order', `--max-count=${MAX_NAMED_COMMITS}`, head, `^${base}`];
  const commits = (await git(args, { gitDir: repo.gitDir })).split('\n').reverse();
  return { kind: 'kept', head, commits };
}

/** Nothing writes commits to the engine's repository but index-pack and ourselves, so a commit there is whole. */
async function isPresent(repo: EngineRepository, commit: string): Promise<boolean> {
  return (await readRef(repo, commit)) !== undefined;
}

type SizeAnswer = { kind: 'fits' } | { kind: 'oversized' } | { kind: 'unreadable'; reason: string };

async function holdsOversized(request: ImportRequest & { head: string }, reading: GitOptions): Promise<SizeAnswer> {
  const limit = `--filter=blob:limit=${request.maxFileBytes + 1}`;
  const range = [request.head, `^${request.base}`];
  const args = [...DISTRUST, 'rev-list', '--objects', limit, '--filter-print-omitted', ...range];
  const result = await runGit(args, reading);
  if (result.code !== 0) return { kind: 'unreadable', reason: result.stderr.trim() };
  return /^~/m.test(result.stdout) ? { kind: 'oversized' } : { kind: 'fits' };
}

/** Returns why the objects were refused, or undefined when they are in. */
async function copyObjects(
  repo: EngineRepository,
  base: string,
  head: string,
  reading: GitOptions,
): Promise<string | undefined> {
  const quarantine = await mkdtemp(join(repo.gitDir, 'import-'));
  try {
    const args = [...DISTRUST, 'pack-objects', '--quiet', '--revs', '--threads=1', join(quarantine, 'pack')];
    const packed = await runGit(args, { ...reading, input: `${head}\n^${base}\n`, timeoutMs: 600_000 });
    if (packed.code !== 0) return packed.stderr.trim();
    const pack = (await readdir(quarantine)).find((name) => name.endsWith('.pack'));
    if (pack === undefined) return 'nothing was packed';
    const inputFile = join(quarantine, pack);
    const indexed = await runGit(['index-pack', '--stdin', '--strict'], {
      gitDir: repo.gitDir,
      inputFile,
      timeoutMs: 600_000,
    });
    return indexed.code === 0 ? undefined : indexed.stderr.trim();
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
}

/** An executor that points its alternates elsewhere would have us copy objects of repositories it may not read. */
async function lendsOnlyOurs(objects: string, lender: string): Promise<boolean> {
  if (!(await isRealDirectory(objects))) return false;
  const alternates = join(objects, 'info', 'alternates');
  const text = await readSmallFile(alternates);
  if (text !== undefined) return text === alternatesFile(lender);
  return (await lstatIfAny(alternates)) === undefined;
}
