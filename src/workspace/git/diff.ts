import type { GitRepository } from './repository.ts';
import { GitFailure, runGit } from './run-git.ts';

/** Git's letter: Added, Modified, Deleted, Type changed. Renames are a deletion and an addition. */
type ChangeStatus = 'A' | 'M' | 'D' | 'T';

export interface ChangedPath {
  readonly status: ChangeStatus;
  /** Relative to the repository's top level, `/` between parts. */
  readonly path: string;
}

/** A tree entry as git stores it: mode `100644`, `100755`, {@link LINK} or {@link SUBMODULE}. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/** Mode of a symbolic link. */
export const LINK = '120000';
/** Mode of a tree entry that names a commit of another repository. */
export const SUBMODULE = '160000';

/** A changed path with what stands there before and after; null where there is nothing. */
export interface TreeChange extends ChangedPath {
  readonly base: TreeEntry | null;
  readonly target: TreeEntry | null;
}

/** Everything that differs between two commits or trees, in git's order, with both sides. */
export async function treeChanges(repo: GitRepository, base: string, target: string): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--full-index', base, target];
  const fields = splitNul((await run(repo, args)).stdout);
  const changes: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [oldMode = '', mode = '', oldOid = '', oid = '', letter] = (fields[i] ?? '').slice(1).split(' ');
    const sides = { base: entryOf(oldMode, oldOid), target: entryOf(mode, oid) };
    changes.push({ status: statusOf(letter), path: fields[i + 1] ?? '', ...sides });
  }
  return changes;
}

/** {@link treeChanges} without the sides. */
export async function changedPaths(repo: GitRepository, from: string, to: string): Promise<ChangedPath[]> {
  return (await treeChanges(repo, from, to)).map(({ status, path }) => ({ status, path }));
}

export interface DiffText {
  /** A unified diff; binary files are named, not shown. */
  readonly text: string;
  readonly truncated: boolean;
}

export interface DiffShape {
  /** Literal files or folders; everything unless said. */
  readonly paths?: readonly string[];
  /** 1 MiB unless said. */
  readonly maxBytes?: number;
  readonly contextLines?: number;
  /** Lines that differ in white space only are the same. */
  readonly ignoreWhitespace?: boolean;
}

/** The unified diff between two commits or trees. */
export async function diffText(
  repo: GitRepository,
  from: string,
  to: string,
  options: DiffShape = {},
): Promise<DiffText> {
  const { paths = [], maxBytes = 1024 * 1024, contextLines = 3, ignoreWhitespace = false } = options;
  const shape = [
    ...(ignoreWhitespace ? ['-w'] : []),
    `-U${contextLines}`,
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
  ];
  const args = ['--literal-pathspecs', 'diff-tree', '-r', '-p', ...shape, from, to, '--', ...paths];
  const result = await runGit(args, { gitDir: repo.gitDir, maxBytes, overflow: 'truncate' });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return { text: result.stdout, truncated: result.truncated };
}

/** Splits NUL-terminated output. */
export function splitNul(text: string): string[] {
  return text.split('\0').filter((field) => field !== '');
}

async function run(repo: GitRepository, args: readonly string[]): Promise<{ stdout: string }> {
  const result = await runGit(args, { gitDir: repo.gitDir });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return result;
}

function entryOf(mode: string, oid: string): TreeEntry | null {
  return mode === '000000' ? null : { mode, oid };
}

function statusOf(letter: string | undefined): ChangeStatus {
  if (letter === 'A' || letter === 'D' || letter === 'T') return letter;
  return 'M';
}
