import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newVpText, type VpDraft } from './new-vp-text.ts';
import { parseVp } from './parse-vp.ts';
import { isReservedId, type Vp } from './vp.ts';
import { codeOf, isWithin } from './vp-files.ts';
import { formatVpProblem, type VpProblem } from './vp-problem.ts';

/** Where a new VP goes. Paths are absolute. */
export interface VpDestination {
  readonly kind: 'project' | 'user';
  /** `.workcenter/vps` of a project, or `vps` of the person's configuration; made when it is missing. */
  readonly folder: string;
  /** The directory that links may not lead the folder out of. */
  readonly within: string;
  /** Ids that exist already, wherever. */
  readonly taken: readonly string[];
}

export type VpWritten =
  | { readonly kind: 'written'; readonly vp: Vp; readonly path: string }
  | {
      readonly kind: 'refused';
      readonly code: 'invalid' | 'reserved' | 'duplicate' | 'unsafe_folder';
      readonly message: string;
      readonly next: string;
      /** What is wrong with each field, for `invalid`. */
      readonly problems: readonly VpProblem[];
    };

type Refused = Extract<VpWritten, { kind: 'refused' }>;

/**
 * Writes a new VP of the built-in agent (D34, `create_vp`): whoever may create VPs may not thereby put a command on the
 * machine. Expected refusals are values; throws what the file system says, and then nothing was written.
 */
export function writeVp(draft: Omit<VpDraft, 'executor'>, destination: VpDestination): Promise<VpWritten> {
  return writeVpText(draft.id, newVpText({ ...draft, executor: { kind: 'agent' } }), destination);
}

/** As {@link writeVp} for the text of a person's file, which may name a command; its `id` must be the given one. */
export async function writeVpText(id: string, text: string, destination: VpDestination): Promise<VpWritten> {
  const { kind, folder, within } = destination;
  if (isReservedId(id)) return refused('reserved', `${id} addresses somebody else`, 'Choose another id.');
  const path = join(folder, `${id}.md`);
  const parsed = parseVp(text, { kind, path });
  if (!parsed.ok) return invalid(parsed.problems);
  if (parsed.vp.id !== id) return refused('invalid', `the text is of ${parsed.vp.id}, not of ${id}`, 'Use one id.');
  await mkdir(within, { recursive: true });
  if (!(await staysWithin(folder, within))) {
    return refused('unsafe_folder', `a link leads ${folder} out of ${within}`, 'Replace the link by a folder.');
  }
  if (await isTaken(id, destination)) return duplicate(id);
  await mkdir(folder, { recursive: true });
  return (await publish(path, text)) ? { kind: 'written', vp: parsed.vp, path } : duplicate(id);
}

const refused = (code: Refused['code'], message: string, next: string): Refused => ({
  kind: 'refused',
  code,
  message,
  next,
  problems: [],
});

const duplicate = (id: string): Refused =>
  refused('duplicate', `a VP with the id ${id} exists already`, 'Choose another id, or use the one that exists.');

const invalid = (problems: readonly VpProblem[]): Refused => ({
  ...refused('invalid', problems.map(formatVpProblem).join('\n'), 'Correct the fields and try again.'),
  problems,
});

/** Looks at the nearest folder that exists: what is made beneath it has no links. */
async function staysWithin(folder: string, within: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return isWithin(await realpath(at), await realpath(within));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || at === dirname(at)) throw error;
    }
  }
}

/** Without regard to case: some file systems make no difference. */
async function isTaken(id: string, { folder, taken }: VpDestination): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.toLowerCase().endsWith('.md')).map((name) => name.slice(0, -3));
  return [...taken, ...files].some((other) => other.toLowerCase() === id);
}

const TEMPORARY = '.new-';
const LEFT_AFTER_MS = 600_000;

/**
 * Whole or not at all: the text goes to a name that no registry reads and is synced there, then takes its own name. A
 * link does that rather than a rename, because it refuses a name that somebody took meanwhile. False when taken.
 */
async function publish(path: string, text: string): Promise<boolean> {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
  try {
    await writeSynced(temporary, text);
    await removeLeftovers(temporary);
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What writers that died left behind, by the file system's own time: far older than the file just written. */
async function removeLeftovers(temporary: string): Promise<void> {
  const folder = dirname(temporary);
  const { mtimeMs: now } = await stat(temporary);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const other = await stat(join(folder, name)).catch(() => undefined);
    if (other && now - other.mtimeMs > LEFT_AFTER_MS) await rm(join(folder, name), { force: true });
  }
}
