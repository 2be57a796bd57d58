import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { errorCode, isMissing } from '../../workspace/files/file-errors.ts';
import type { AttachedFile, ToolContext } from './tool.ts';

/** Why a path was not used. Stable: the loop, the tests and permission reports rely on these words. */
export type PathProblemCode =
  | 'bad_path'
  | 'outside_workspace'
  | 'protected'
  | 'not_found'
  | 'is_directory'
  | 'not_a_directory'
  | 'not_a_file'
  | 'too_large'
  | 'binary'
  | 'changed_meanwhile'
  | 'denied'
  | 'write_failed'
  | 'exists'
  | 'bad_patch';

export interface PathProblem {
  readonly code: PathProblemCode;
  /** What was expected, what was found, what to do next. Names the path as the model gave it. */
  readonly message: string;
}

/** A value, or why there is none. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: PathProblem };

/** A place inside the workspace, free of links at the time of the look. */
export interface Place {
  /** Absolute; no part of it was a symbolic link. */
  readonly real: string;
  /** From the top of the workspace, `/` between parts; `.` for the top. What a person and a model are shown. */
  readonly shown: string;
  /** Absent when nothing is there yet. */
  readonly stats?: Stats;
}

export type Where = Pick<ToolContext, 'workspacePath' | 'projectPath'>;

const ATTACHMENT = 'attachment:';
const MAX_PATH_CHARS = 4_096;
const MAX_NAME_BYTES = 255;

export const found = <T>(value: T): Checked<T> => ({ ok: true, value });

export const problem = (
  code: PathProblemCode,
  message: string,
): { readonly ok: false; readonly problem: PathProblem } => ({ ok: false, problem: { code, message } });

/**
 * Resolves a path from a model (T9, T10). Relative ones start at the project folder. Links that stay in the workspace
 * are followed; one that leaves it, ends in nothing or runs in circles is refused, and so is everything in `.git`.
 * A missing file is a place too: see {@link Place.stats}.
 */
export async function resolvePlace(path: string, where: Where): Promise<Checked<Place>> {
  const bad = malformed(path);
  if (bad !== undefined) return bad;
  const lexical = resolve(where.projectPath, path);
  if (isProtected(relative(where.workspacePath, lexical))) return protectedPath(path);
  const real = await realTarget(lexical, path);
  if (!real.ok) return real;
  const inside = relative(where.workspacePath, real.value);
  if (leaves(inside)) return outside(path);
  if (isProtected(inside)) return protectedPath(path);
  return look(real.value, inside, path);
}

/** An attachment by its reference; undefined when the path is no reference (T12). */
export function attachmentOf(path: string, attachments: readonly AttachedFile[]): Checked<AttachedFile> | undefined {
  if (!path.startsWith(ATTACHMENT)) return undefined;
  const name = path.slice(ATTACHMENT.length);
  const file = attachments.find((candidate) => candidate.name === name);
  if (file !== undefined) return found(file);
  const names = attachments.map((candidate) => `${ATTACHMENT}${candidate.name}`).join(', ') || 'none';
  return problem('not_found', `No attachment is called ${quote(name)}. There are: ${names}.`);
}

/** A path in quotes, with control characters made visible. */
export function quote(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
}

function malformed(path: string): Checked<never> | undefined {
  if (path.trim() === '')
    return problem('bad_path', 'Expected a path, found an empty text. Use "." for the project folder.');
  // A line break would let one path pass for two where permissions read a list of them.
  if (/[\0\r\n]/.test(path)) {
    return problem('bad_path', `The path ${quote(path)} holds a NUL character or a line break. Leave it out.`);
  }
  if (path.length > MAX_PATH_CHARS || path.split('/').some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)) {
    return problem('bad_path', `The path ${quote(path)} is longer than a file system allows. Check it.`);
  }
  if (path.startsWith(ATTACHMENT)) {
    return problem(
      'protected',
      `${quote(path)} is an attachment: only read and view_image take it. Write a file instead.`,
    );
  }
  return undefined;
}

/** The real path of the deepest part that exists, with the rest behind it. */
async function realTarget(path: string, asked: string): Promise<Checked<string>> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return found(join(await realpath(at), ...missing));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EACCES' || code === 'EPERM')
        return problem('denied', `The system does not allow to look at ${quote(asked)}.`);
      if (code === 'ELOOP' || (await exists(at))) return brokenLink(asked, code);
      if (at === dirname(at)) return outside(asked);
      missing.unshift(basename(at));
    }
  }
}

/** True for something that is there although its real path cannot be told: a link to nothing. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function brokenLink(asked: string, code: string | undefined): Checked<never> {
  const what = code === 'ELOOP' ? 'links that lead in a circle' : 'a link to something that does not exist';
  return problem('not_found', `Expected a file or folder at ${quote(asked)}, found ${what}. Name the real path.`);
}

async function look(real: string, inside: string, asked: string): Promise<Checked<Place>> {
  const place = { real, shown: inside === '' ? '.' : inside.split(sep).join('/') };
  try {
    return found({ ...place, stats: await lstat(real) });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return found(place);
    if (isMissing(error))
      return problem('not_a_directory', `A part of ${quote(asked)} is a file, not a folder. Check the path.`);
    return problem('denied', `The system does not allow to look at ${quote(asked)}.`);
  }
}

/** True when a relative path, as `relative` gives it, leads out of where it starts. */
export function leaves(inside: string): boolean {
  return inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep);
}

/** Git's own folder, at any depth and in any case: some file systems do not tell `.GIT` from `.git`. */
export function isProtected(inside: string): boolean {
  return inside.split(sep).some((part) => part.toLowerCase() === '.git');
}

function outside(path: string): { readonly ok: false; readonly problem: PathProblem } {
  const message = `Expected a path inside the workspace, found ${quote(path)}, which leads out of it. Use a path relative to the project folder.`;
  return problem('outside_workspace', message);
}

function protectedPath(path: string): { readonly ok: false; readonly problem: PathProblem } {
  return problem(
    'protected',
    `${quote(path)} lies in git's own folder, which no file tool opens. Use git_read to look at history.`,
  );
}
