import { type Checked, found, type Place, problem, quote, resolvePlace, type Where } from '../../path-safety.ts';
import type { FileChange } from './apply-changes.ts';
import { applyHunks } from './apply-hunks.ts';
import { readBounded } from './open-file.ts';
import type { FilePatch } from './read-patch.ts';
import { exactText, isBinary, oneLine } from './text.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** One file of a patch, checked against what is there. */
export interface PlannedFile {
  readonly changes: readonly FileChange[];
  /** One line for the report, such as `M src/a.ts (+3 -1)`. */
  readonly summary: string;
}

/** What is to be written so that the file is as the patch says; the problem names the file. Writes nothing. */
export async function planFile(file: FilePatch, where: Where): Promise<Checked<PlannedFile>> {
  const source = file.from === undefined ? undefined : await sourceOf(file.from, where);
  if (source?.ok === false) return source;
  const target = file.kind === 'create' || file.kind === 'rename' ? await freePlace(file.to ?? '', where) : undefined;
  if (target?.ok === false) return target;
  const before = source?.value;
  const applied = applyHunks(before?.text ?? '', file.patch);
  if (!applied.ok) return problem('bad_patch', `${quote(file.from ?? file.to ?? '')}: ${applied.reason}.`);
  const place = target?.value ?? before?.place;
  if (place === undefined) throw new Error('a patch of a file without a place');
  return plan({ file, before, place, after: applied.text });
}

interface Source {
  readonly place: Place;
  readonly text: string;
}

interface Plan {
  readonly file: FilePatch;
  readonly before: Source | undefined;
  readonly place: Place;
  readonly after: string;
}

function plan({ file, before, place, after }: Plan): Checked<PlannedFile> {
  const { kind, mode } = file;
  const summary = `${LETTERS[kind]} ${kind === 'rename' ? `${oneLine(before?.place.shown ?? '')} -> ` : ''}${oneLine(place.shown)}${counts(file)}`;
  if (kind === 'delete') {
    if (after === '') return found({ changes: [{ kind: 'remove', target: place }], summary });
    return problem(
      'bad_patch',
      `${quote(place.shown)}: a deletion has to take away every line, and some would be left.`,
    );
  }
  if (kind === 'modify' && after === before?.text && mode === undefined) {
    return problem('bad_patch', `${quote(place.shown)}: the patch changes nothing.`);
  }
  const kept = mode ?? before?.place.stats?.mode;
  const put: FileChange = {
    kind: 'put',
    target: place,
    content: Buffer.from(after),
    ...(kept === undefined ? {} : { mode: kept }),
  };
  const isMoved = kind === 'rename' && before !== undefined;
  return found({ changes: isMoved ? [put, { kind: 'remove', target: before.place }] : [put], summary });
}

const LETTERS: Readonly<Record<FilePatch['kind'], string>> = { create: 'A', delete: 'D', modify: 'M', rename: 'R' };

function counts({ patch }: FilePatch): string {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return lines.length === 0 ? '' : ` (+${count('+')} -${count('-')})`;
}

async function sourceOf(path: string, where: Where): Promise<Checked<Source>> {
  const place = await resolvePlace(path, where);
  if (!place.ok) return place;
  const bytes = await readBounded(place.value, MAX_FILE_BYTES);
  if (!bytes.ok) return bytes;
  const text = isBinary(bytes.value) ? undefined : exactText(bytes.value);
  if (text === undefined)
    return problem('binary', `Expected UTF-8 text at ${quote(path)}, found other bytes. Use a command.`);
  return found({ place: place.value, text });
}

async function freePlace(path: string, where: Where): Promise<Checked<Place>> {
  const place = await resolvePlace(path, where);
  if (!place.ok || place.value.stats === undefined) return place;
  return problem(
    'exists',
    `Expected nothing at ${quote(path)}, found something. Patch it as a change, or delete it first.`,
  );
}
