/** The state before the work, and the one after it. */
export type Side = 'base' | 'result';

/** Two states of a project, and how they differ. Paths are relative to the top, `/` between parts. */
export interface CheckSource {
  /** How a receipt names a state: a commit, or `content:<hash>`. */
  at(side: Side): string;
  /** Whether there is a base to compare with at all. */
  readonly hasBase: boolean;
  /** Nothing can be copied: checks run in this directory itself. */
  readonly inPlace?: string;
  /** Project directory below the top; '' at the top. */
  readonly subdirectory: string;
  /** Directories that a process in a checkout has to be able to read. */
  readonly readable: readonly string[];
  /** Makes a clean copy of a state at `path`, which does not exist. `dependencies` says whether installed packages may come along. */
  checkOut(side: Side, path: string, options: { readonly dependencies: boolean }): Promise<void>;
  /** Puts what matches `globs` back to the base, in a checkout of the result; the paths that differed. */
  restore(path: string, globs: readonly string[]): Promise<string[]>;
  /** Identity of a file or folder, `missing` where there is none. */
  contentHash(side: Side, path: string): Promise<string>;
  /** The file as text, or undefined where it is absent or too large to look at. */
  readText(side: Side, path: string): Promise<string | undefined>;
  changedPaths(): Promise<readonly string[]>;
  /** A unified diff of these paths, of bounded size. */
  diff(paths: readonly string[]): Promise<string>;
}

/** A path or glob of the project directory, seen from the top. */
export function fromTop(subdirectory: string, path: string): string {
  return subdirectory === '' ? path : `${subdirectory}/${path}`;
}

/** A glob of the project directory, seen from the top; the folder's own name is taken literally. */
export function globFromTop(subdirectory: string, glob: string): string {
  return fromTop(subdirectory.replace(/[\\*?[\]{}()!+@|]/g, '\\$&'), glob);
}

export const TEXT_MAX_BYTES = 1024 * 1024;
