import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isMissing } from '../files/file-errors.ts';
import { splitNul } from '../git/diff.ts';
import { GitFailure, type GitOptions, runGit } from '../git/run-git.ts';

/** A possibly long list of paths, relative to the repository's top level: the first ones, and how many there are. */
export interface PathList {
  readonly paths: readonly string[];
  /** At least this many when `truncated`. */
  readonly count: number;
  readonly truncated: boolean;
}

export interface GitFacts {
  readonly kind: 'git';
  readonly realPath: string;
  /** Real path of the top level; of the git directory itself when `bare`. */
  readonly topLevel: string;
  /** The directory below the top level, `/` between parts; empty for the top level itself. */
  readonly subdirectory: string;
  /** This work tree's git directory, and the one shared by all of them; the same but for linked work trees. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** No commit: unborn. No branch: detached. */
  readonly head: { readonly commit?: string; readonly branch?: string };
  /** Nothing has been committed on HEAD yet. */
  readonly empty: boolean;
  readonly bare: boolean;
  /** The directory is ignored by the repository around it, so it is hardly part of it (a home kept in git). */
  readonly ignored: boolean;
  readonly dirty: { readonly tracked: PathList; readonly untracked: PathList };
  /** Repositories inside that this one does not know, each with a final slash. */
  readonly nested: readonly string[];
  readonly submodules: boolean;
  readonly sparse: boolean;
  readonly lfs: boolean;
  readonly shallow: boolean;
  /** Objects are fetched on demand, so they may be missing here. */
  readonly partialClone: boolean;
}

export type DirectoryFacts =
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'not_a_directory'; readonly path: string }
  | { readonly kind: 'plain'; readonly realPath: string }
  /** Git is there and answered with an error; hiding that would look like "not a repository". */
  | { readonly kind: 'broken'; readonly realPath: string; readonly message: string }
  | GitFacts;

export interface InspectOptions {
  /** Longest list of paths to return. Default 200. */
  readonly maxPaths?: number;
  /** The user's global ignore file, so that what they never see is not reported as untracked. */
  readonly excludesFile?: string;
}

/**
 * What a directory is, to decide how to work on it (D30). Reads only: no lock, no index refresh, no hook, no filter
 * of the login. Never throws for what it finds in a directory.
 */
export async function inspectDirectory(path: string, options: InspectOptions = {}): Promise<DirectoryFacts> {
  const realPath = await realDirectory(path);
  if (typeof realPath !== 'string') return realPath;
  const place = await locate(realPath);
  if (place.kind !== 'found') return place;
  try {
    return await describe(realPath, place, options);
  } catch (error) {
    if (error instanceof GitFailure) return { kind: 'broken', realPath, message: error.message };
    throw error;
  }
}

async function realDirectory(path: string): Promise<string | DirectoryFacts> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : { kind: 'not_a_directory', path };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing', path };
    throw error;
  }
}

interface Place {
  readonly kind: 'found';
  readonly topLevel: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly bare: boolean;
}

async function locate(realPath: string): Promise<Place | DirectoryFacts> {
  const asked = ['--absolute-git-dir', '--git-common-dir', '--is-bare-repository', '--is-inside-work-tree'];
  const result = await runGit(['rev-parse', '--path-format=absolute', ...asked], { cwd: realPath });
  if (result.code !== 0) {
    if (/not a git repository/.test(result.stderr)) return { kind: 'plain', realPath };
    return { kind: 'broken', realPath, message: result.stderr.trim() };
  }
  const [gitDir = '', commonDir = '', bareWord, insideWord] = result.stdout.split('\n');
  const bare = bareWord === 'true';
  if (!bare && insideWord !== 'true') {
    return { kind: 'broken', realPath, message: 'this is inside a .git directory, not in a work tree' };
  }
  const top = bare ? gitDir : (await answer(['rev-parse', '--show-toplevel'], { cwd: realPath })).trimEnd();
  return { kind: 'found', topLevel: await realpath(top), gitDir, commonDir: await realpath(commonDir), bare };
}

async function describe(realPath: string, place: Place, options: InspectOptions): Promise<GitFacts> {
  const { topLevel, gitDir, commonDir, bare } = place;
  const at: GitOptions = { cwd: topLevel };
  const commit = await optional(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], at);
  const branch = (await optional(['symbolic-ref', '--quiet', 'HEAD'], at))?.replace(/^refs\/heads\//, '');
  const subdirectory = bare ? '' : relative(topLevel, realPath).split(sep).join('/');
  const status = bare ? NO_CHANGES : await readStatus(at, options);
  return {
    kind: 'git',
    realPath,
    topLevel,
    subdirectory,
    gitDir,
    commonDir,
    head: { ...(commit === undefined ? {} : { commit }), ...(branch === undefined ? {} : { branch }) },
    empty: commit === undefined,
    bare,
    ignored: subdirectory !== '' && (await runGit(['check-ignore', '-q', '--', subdirectory], at)).code === 0,
    ...status,
    submodules: !bare && (await hasSubmodules(at)),
    sparse: (await optional(['config', '--type=bool', 'core.sparseCheckout'], at)) === 'true',
    lfs: !bare && (await usesLfs(topLevel, at)),
    shallow: (await optional(['rev-parse', '--is-shallow-repository'], at)) === 'true',
    partialClone: (await optional(['config', 'extensions.partialClone'], at)) !== undefined,
  };
}

type Status = Pick<GitFacts, 'dirty' | 'nested'>;

const NONE: PathList = { paths: [], count: 0, truncated: false };
const NO_CHANGES: Status = { dirty: { tracked: NONE, untracked: NONE }, nested: [] };

async function readStatus(at: GitOptions, options: InspectOptions): Promise<Status> {
  const excludes = options.excludesFile === undefined ? [] : ['-c', `core.excludesFile=${options.excludesFile}`];
  const args = [...excludes, 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'];
  const result = await runGit(args, { ...at, maxBytes: 4 * 1024 * 1024, overflow: 'truncate' });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  const lines = splitNul(result.truncated ? result.stdout.slice(0, result.stdout.lastIndexOf('\0')) : result.stdout);
  const tracked = lines.filter((line) => !line.startsWith('??')).map((line) => line.slice(3));
  const others = lines.filter((line) => line.startsWith('??')).map((line) => line.slice(3));
  const max = options.maxPaths ?? 200;
  const cap = (paths: string[]): PathList => ({
    paths: paths.slice(0, max),
    count: paths.length,
    truncated: result.truncated || paths.length > max,
  });
  // With all untracked files named, only a repository inside still ends in a slash.
  const nested = others.filter((path) => path.endsWith('/'));
  const untracked = others.filter((path) => !path.endsWith('/'));
  return { dirty: { tracked: cap(tracked), untracked: cap(untracked) }, nested: nested.slice(0, max) };
}

async function hasSubmodules(at: GitOptions): Promise<boolean> {
  const listing = await answer(['ls-files', '-s', '-z'], at);
  return /(?:^|\0)160000 /.test(listing);
}

const MAX_ATTRIBUTE_FILES = 100;

async function usesLfs(topLevel: string, at: GitOptions): Promise<boolean> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ':(glob)**/.gitattributes'];
  for (const path of splitNul(await answer(args, at)).slice(0, MAX_ATTRIBUTE_FILES)) {
    const text = await readAttributes(topLevel, path, at);
    if (/^[^#\n]*\bfilter=lfs\b/m.test(text)) return true;
  }
  return false;
}

/** From the index where a sparse checkout has no file. */
async function readAttributes(topLevel: string, path: string, at: GitOptions): Promise<string> {
  try {
    return await readFile(join(topLevel, path), 'utf8');
  } catch {
    return (await optional(['cat-file', 'blob', `:${path}`], at)) ?? '';
  }
}

async function answer(args: readonly string[], at: GitOptions): Promise<string> {
  const result = await runGit(args, { ...at, maxBytes: 256 * 1024 * 1024 });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return result.stdout;
}

async function optional(args: readonly string[], at: GitOptions): Promise<string | undefined> {
  const result = await runGit(args, at);
  return result.code === 0 ? result.stdout.trim() : undefined;
}
