import type { GitRepository } from './repository.ts';
import { GitFailure, git, runGit, runGitBytes } from './run-git.ts';

/** Git's letter: Added, Modified, Deleted, Type changed. Renames are a deletion and an addition. */
export type ChangeStatus = 'A' | 'M' | 'D' | 'T';

export interface ChangedPath {
  readonly status: ChangeStatus;
  /** Relative to the repository's top level, `/` between parts. */
  readonly path: string;
}

/** Paths that differ between two commits or trees, in git's order. */
export async function changedPaths(repo: GitRepository, from: string, to: string): Promise<ChangedPath[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to];
  const fields = splitNul((await run(repo, args)).stdout);
  const changes: ChangedPath[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const path = fields[i + 1];
    if (path !== undefined) changes.push({ status: statusOf(fields[i]), path });
  }
  return changes;
}

export interface DiffText {
  /** A unified diff; binary files are named, not shown. */
  readonly text: string;
  readonly truncated: boolean;
}

/** The unified diff between two commits or trees. `paths` are literal files or folders; `maxBytes` defaults to 1 MiB. */
export async function diffText(
  repo: GitRepository,
  from: string,
  to: string,
  options: { readonly paths?: readonly string[]; readonly maxBytes?: number; readonly contextLines?: number } = {},
): Promise<DiffText> {
  const { paths = [], maxBytes = 1024 * 1024, contextLines = 3 } = options;
  const shape = [`-U${contextLines}`, '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const args = ['--literal-pathspecs', 'diff-tree', '-r', '-p', ...shape, from, to, '--', ...paths];
  const result = await runGit(args, { gitDir: repo.gitDir, maxBytes, overflow: 'truncate' });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return { text: result.stdout, truncated: result.truncated };
}

export type FileAt =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly executable: boolean; readonly blob: string }
  | { readonly kind: 'symlink'; readonly target: string; readonly blob: string }
  | { readonly kind: 'directory' }
  | { readonly kind: 'submodule'; readonly commit: string }
  | { readonly kind: 'too_large'; readonly sizeBytes: number }
  | { readonly kind: 'absent' };

/** What `path` is in a commit. Files over `maxBytes` (default 16 MiB) are named by size only. */
export async function fileAt(
  repo: GitRepository,
  commit: string,
  path: string,
  options: { readonly maxBytes?: number } = {},
): Promise<FileAt> {
  const listing = await run(repo, [
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '-l',
    commit,
    '--',
    path.replace(/\/+$/, ''),
  ]);
  const match = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t/.exec(listing.stdout);
  if (match === null) return { kind: 'absent' };
  const [, mode = '', id = '', size = ''] = match;
  if (mode === '040000') return { kind: 'directory' };
  if (mode === '160000') return { kind: 'submodule', commit: id };
  if (Number(size) > (options.maxBytes ?? 16 * 1024 * 1024)) return { kind: 'too_large', sizeBytes: Number(size) };
  const bytes = await blob(repo, id);
  if (mode === '120000') return { kind: 'symlink', target: bytes.toString('utf8'), blob: id };
  return { kind: 'file', bytes, executable: mode === '100755', blob: id };
}

/** Whether `ancestor` is `descendant` or in its history. @throws GitFailure when either is not a commit here. */
export async function isAncestor(repo: GitRepository, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  const result = await runGit(args, { gitDir: repo.gitDir });
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  return result.code === 0;
}

/** The tree id of a commit: equal trees are equal files. */
export function treeOf(repo: GitRepository, commit: string): Promise<string> {
  return git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { gitDir: repo.gitDir });
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

async function blob(repo: GitRepository, id: string): Promise<Buffer> {
  const args = ['cat-file', 'blob', id];
  const result = await runGitBytes(args, { gitDir: repo.gitDir });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return result.stdout;
}

function statusOf(letter: string | undefined): ChangeStatus {
  if (letter === 'A' || letter === 'D' || letter === 'T') return letter;
  return 'M';
}
