import { parsePatch, type StructuredPatch } from 'diff';
import { type Checked, found, problem, quote } from '../../path-safety.ts';

/** What a patch says of one file. Paths as in the patch, without the `a/` and `b/` of git. */
export interface FilePatch {
  readonly kind: 'create' | 'delete' | 'modify' | 'rename';
  /** Absent for `create`. */
  readonly from?: string;
  /** Absent for `delete`. */
  readonly to?: string;
  /** Permission bits, where the patch sets them. */
  readonly mode?: number;
  readonly patch: StructuredPatch;
}

const NOTHING = '/dev/null';
const HUNK_HEADER = /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/;
const MODES: Readonly<Record<string, number>> = { '100644': 0o644, '100755': 0o755 };

/** Reads a unified diff, git's or a plain one. The problem says which line or file is not understood. */
export function readPatch(text: string): Checked<readonly FilePatch[]> {
  const header = text.split('\n').find((line) => line.startsWith('@@') && !HUNK_HEADER.test(line));
  if (header !== undefined) return bad(`Expected a hunk header such as @@ -10,3 +10,4 @@, found ${quote(header)}.`);
  let parsed: StructuredPatch[];
  try {
    parsed = text.split(/^(?=diff --git )/m).flatMap(parseSection);
  } catch (error) {
    return bad(`${error instanceof Error ? error.message : 'It cannot be read'}. Count the lines of each hunk again.`);
  }
  const files: FilePatch[] = [];
  for (const patch of parsed.filter(saysSomething)) {
    const file = filePatch(patch);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return files.length > 0 ? found(files) : bad('Expected a unified diff with --- and +++ lines, found no file in it.');
}

/**
 * Reads what follows one `diff --git` line. The library takes the next `---` line for the same file; after a bare
 * rename or change of mode it can be the start of another, and the rename would be lost.
 */
function parseSection(section: string): StructuredPatch[] {
  const all = parsePatch(section);
  const bodyStart = section.search(/^(---|\+\+\+|@@)\s/m);
  if (!section.startsWith('diff --git ') || bodyStart === -1) return all;
  const [header] = parsePatch(section.slice(0, bodyStart));
  const [first] = all;
  if (header === undefined || first === undefined || isSameFile(header, first)) return all;
  return [header, ...parsePatch(section.slice(bodyStart))];
}

function isSameFile(header: StructuredPatch, body: StructuredPatch): boolean {
  const agree = (a: string | undefined, b: string | undefined) => a === undefined || b === NOTHING || a === b;
  return agree(header.oldFileName, body.oldFileName) && agree(header.newFileName, body.newFileName);
}

const bad = (message: string) => problem('bad_patch', `${message} Nothing was changed.`);

const saysSomething = (patch: StructuredPatch) =>
  patch.hunks.length > 0 || patch.oldFileName !== undefined || patch.newFileName !== undefined;

function filePatch(patch: StructuredPatch): Checked<FilePatch> {
  const { from, to } = names(patch);
  const shown = quote(to ?? from ?? 'the first file');
  if (from === undefined || to === undefined) return bad(`Expected --- and +++ lines before the hunks of ${shown}.`);
  if (patch.isBinary) return bad(`${shown} is a binary change, which cannot be applied. Use a command.`);
  if (patch.isCopy) return bad(`${shown} is a copy. Write it as a new file.`);
  const mode = modeOf(patch);
  if (mode === 'unusable')
    return bad(`${shown} is to become a link or something else than a file. Only files can be patched.`);
  const file = { patch, ...(mode === undefined ? {} : { mode }) };
  if (from === NOTHING || patch.isCreate) return found({ kind: 'create', to, ...file });
  if (to === NOTHING || patch.isDelete) return found({ kind: 'delete', from, ...file });
  if (from === to) return found({ kind: 'modify', from, to, ...file });
  if (patch.isRename) return found({ kind: 'rename', from, to, ...file });
  return bad(
    `Expected one name, found ${quote(from)} and ${quote(to)}. Add "rename from" and "rename to" lines, or use one name.`,
  );
}

/** Git's prefixes go only where both sides have them: a folder may really be called `a`. */
function names(patch: StructuredPatch): { readonly from: string | undefined; readonly to: string | undefined } {
  const { oldFileName: from, newFileName: to } = patch;
  const hasPrefixes = fits(from, 'a/') && fits(to, 'b/');
  return hasPrefixes ? { from: strip(from), to: strip(to) } : { from, to };
}

const fits = (name: string | undefined, prefix: string) => name === NOTHING || name?.startsWith(prefix) === true;

const strip = (name: string | undefined) => (name === NOTHING ? name : name?.slice(2));

function modeOf(patch: StructuredPatch): number | undefined | 'unusable' {
  const modes = [patch.oldMode, patch.newMode].filter((mode) => mode !== undefined);
  if (modes.some((mode) => MODES[mode] === undefined)) return 'unusable';
  return patch.newMode === undefined ? undefined : MODES[patch.newMode];
}
