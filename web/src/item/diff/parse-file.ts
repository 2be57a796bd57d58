import gitdiffParser, { type Change, type File, type Hunk } from 'gitdiff-parser';
import type { DiffFact, DiffFile, DiffHunk, DiffLine } from './diff-data.ts';
import { pathOfHead, unquoted, withoutSide } from './git-path.ts';
import { partnersOf } from './partners.ts';

/** Its types speak of a default export that the CommonJS of it does not have. It is asked for hunks only. */
const parser = gitdiffParser as unknown as { readonly parse: (text: string) => readonly File[] };

/** Marks that turn the direction of what follows: code can be made to look like other code with them. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;

/** What stands above the first hunk. */
function headOf(text: string): { readonly head: readonly string[]; readonly hasHunks: boolean } {
  const end = text.startsWith('@@ ') ? 0 : text.indexOf('\n@@ ');
  const head = (end < 0 ? text : text.slice(0, end)).split('\n');
  return { head, hasHunks: end >= 0 };
}

const behind = (head: readonly string[], word: string): string | undefined =>
  head.find((line) => line.startsWith(word))?.slice(word.length);

const side = (path: string | undefined): string | undefined =>
  path === undefined || path === '/dev/null' ? undefined : withoutSide(unquoted(path));

const SUBMODULE = '160000';
const LINK = '120000';

function modesOf(head: readonly string[]) {
  const same = behind(head, 'index ')?.split(' ')[1];
  const old = behind(head, 'old mode ') ?? behind(head, 'deleted file mode ') ?? same;
  const now = behind(head, 'new mode ') ?? behind(head, 'new file mode ') ?? same;
  return { old, now };
}

function factsOf(head: readonly string[], text: string): readonly DiffFact[] {
  const { old, now } = modesOf(head);
  const is: Readonly<Record<Exclude<DiffFact, 'cut'>, boolean>> = {
    added: behind(head, 'new file mode ') !== undefined,
    deleted: behind(head, 'deleted file mode ') !== undefined,
    renamed: behind(head, 'rename from ') !== undefined,
    binary: head.some((line) => line.startsWith('Binary files ') || line === 'GIT binary patch'),
    submodule: old === SUBMODULE || now === SUBMODULE,
    symlink: old === LINK || now === LINK,
    bidi: BIDI.test(text),
  };
  return (Object.keys(is) as (keyof typeof is)[]).filter((fact) => is[fact]);
}

const lineOf = (change: Change): Omit<DiffLine, 'partner'> => {
  const { content: text } = change;
  if (change.type === 'insert') return { sign: '+', old: null, now: change.lineNumber, text };
  if (change.type === 'delete') return { sign: '-', old: change.lineNumber, now: null, text };
  return { sign: ' ', old: change.oldLineNumber, now: change.newLineNumber, text };
};

/** The lines of a hunk, each changed one with the line of the other side that it is most like. */
function linesOf({ changes }: Hunk, start: number): DiffLine[] {
  const lines = changes.map((change): DiffLine => ({ ...lineOf(change), partner: -1 }));
  let at = 0;
  while (at < lines.length) {
    const gone = runOf(lines, at, '-');
    const come = runOf(lines, at + gone, '+');
    const texts = (from: number, n: number) => lines.slice(from, from + n).map(({ text }) => text);
    for (const [i, j] of partnersOf(texts(at, gone), texts(at + gone, come))) pair(lines, at + i, at + gone + j, start);
    at += Math.max(1, gone + come);
  }
  return lines;
}

function runOf(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let n = 0;
  while (lines[from + n]?.sign === sign) n += 1;
  return n;
}

function pair(lines: DiffLine[], old: number, now: number, start: number): void {
  const [before, after] = [lines[old], lines[now]];
  if (!before || !after) return;
  lines[old] = { ...before, partner: start + now };
  lines[now] = { ...after, partner: start + old };
}

const count = (lines: readonly DiffLine[], sign: DiffLine['sign']): number =>
  lines.reduce((n, line) => n + (line.sign === sign ? 1 : 0), 0);

/** One file of a unified diff of git; `isCut`: the text ends before the file does. */
export function parseFile(text: string, key: string, isCut = false): DiffFile {
  const { head, hasHunks } = headOf(text);
  const [raw] = hasHunks ? parser.parse(text) : [];
  const hunks: DiffHunk[] = [];
  const lines: DiffLine[] = [];
  for (const hunk of raw?.hunks ?? []) {
    const start = lines.length;
    // One by one: a hunk may have more lines than a call may have arguments.
    for (const line of linesOf(hunk, start)) lines.push(line);
    hunks.push({ header: hunk.content, start, end: lines.length });
  }
  const { old, now } = modesOf(head);
  const oldPath = behind(head, 'rename from ');
  const found = side(behind(head, '+++ ')) ?? side(behind(head, '--- ')) ?? pathOfHead(head[0] ?? '');
  return {
    key,
    path: found,
    oldPath: oldPath === undefined ? null : unquoted(oldPath),
    facts: [...factsOf(head, text), ...(isCut ? (['cut'] as const) : [])],
    modes: old !== undefined && now !== undefined && old !== now ? [old, now] : null,
    unended: { old: raw?.oldEndingNewLine === false, now: raw?.newEndingNewLine === false },
    added: count(lines, '+'),
    removed: count(lines, '-'),
    hunks,
    lines,
  };
}
