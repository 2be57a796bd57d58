import { GitFailure, type GitOptions, runGitBytes } from './run-git.ts';

/**
 * Paths are handled as one character per byte until they are shown: a name that is not UTF-8 must reach git
 * unchanged, or its file would be silently left out.
 */
export type RawPath = string;

/** Runs a listing command with `-z` and returns its raw fields. */
export async function list(args: readonly string[], at: GitOptions): Promise<RawPath[]> {
  const result = await runGitBytes(args, { ...at, maxBytes: 256 * 1024 * 1024 });
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return splitRaw(result.stdout);
}

/** Splits NUL-terminated output. */
export function splitRaw(bytes: Buffer): RawPath[] {
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
