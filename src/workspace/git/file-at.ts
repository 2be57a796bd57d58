import { LINK, SUBMODULE } from './diff.ts';
import type { GitRepository } from './repository.ts';
import { GitFailure, git, runGitBytes } from './run-git.ts';

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
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '-l', commit, '--', path.replace(/\/+$/, '')];
  const match = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t/.exec(await git(args, { gitDir: repo.gitDir }));
  if (match === null) return { kind: 'absent' };
  const [, mode = '', id = '', size = ''] = match;
  if (mode === '040000') return { kind: 'directory' };
  if (mode === SUBMODULE) return { kind: 'submodule', commit: id };
  if (Number(size) > (options.maxBytes ?? 16 * 1024 * 1024)) return { kind: 'too_large', sizeBytes: Number(size) };
  const bytes = await blob(repo, id);
  if (mode === LINK) return { kind: 'symlink', target: bytes.toString('utf8'), blob: id };
  return { kind: 'file', bytes, executable: mode === '100755', blob: id };
}

async function blob(repo: GitRepository, id: string): Promise<Buffer> {
  const args = ['cat-file', 'blob', id];
  const result = await runGitBytes(args, { gitDir: repo.gitDir });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return result.stdout;
}
