/** A diff as it is shown: plain data, made off the main thread. */

export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  /** Its number before; null where it was not there. */
  readonly old: number | null;
  readonly now: number | null;
  readonly text: string;
  /** The line of the other side that it probably replaces, as an index into the lines of the file; -1: none. */
  readonly partner: number;
}

export interface DiffHunk {
  readonly header: string;
  /** Lines of the file from here on. */
  readonly start: number;
  readonly end: number;
}

/** What is to be said of a file beside its lines. */
export type DiffFact = 'added' | 'deleted' | 'renamed' | 'binary' | 'submodule' | 'symlink' | 'bidi' | 'cut';

export interface DiffFile {
  /** Unlike the path it is there once: a file that became a link is told as two changes. */
  readonly key: string;
  readonly path: string;
  /** Of a renamed file. */
  readonly oldPath: string | null;
  readonly facts: readonly DiffFact[];
  /** Where it changed. */
  readonly modes: readonly [old: string, now: string] | null;
  /** The last line has no end: of what was there before, of what is there now. */
  readonly unended: { readonly old: boolean; readonly now: boolean };
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  readonly lines: readonly DiffLine[];
}

/** A part of a diff on its way from the worker. */
export interface ParsedPart {
  readonly files: readonly DiffFile[];
  readonly done: boolean;
}
