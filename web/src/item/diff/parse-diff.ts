import type { DiffFile, ParsedPart } from './diff-data.ts';
import { parseFile } from './parse-file.ts';

const HEAD = 'diff --git ';
/** So many lines are handed on at a time; the first rows are there before the last file is read. */
const PART_LINES = 2_000;

/** A diff file by file, some at a time. Lines of files begin with a sign, so a head is never one of them. */
export function* parseDiff(text: string, isCut = false): Generator<ParsedPart, void, undefined> {
  let files: DiffFile[] = [];
  let lines = 0;
  let at = text.startsWith(HEAD) ? 0 : text.indexOf(`\n${HEAD}`) + 1;
  for (let n = 0; text.startsWith(HEAD, at); n += 1) {
    const next = text.indexOf(`\n${HEAD}`, at) + 1;
    const end = next === 0 ? text.length : next;
    const file = parseFile(text.slice(at, end), String(n), isCut && next === 0);
    files.push(file);
    lines += file.lines.length;
    at = end;
    if (lines < PART_LINES) continue;
    yield { files, done: false };
    files = [];
    lines = 0;
  }
  yield { files, done: true };
}
