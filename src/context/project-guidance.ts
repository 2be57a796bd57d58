import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { GuidanceView } from './mainline-input.ts';
import { MAINLINE_LIMITS } from './prepare.ts';

/** In the order in which they are shown. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;

export interface ProjectGuidance {
  readonly files: readonly GuidanceView[];
  /** Files that are there and were not read, with the reason. Paths relative to the workspace. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

type Look = Readonly<
  { kind: 'absent' } | { kind: 'refused'; why: string } | { kind: 'file'; text: string; cut: boolean }
>;

/**
 * What the project says about how work is done in it (D34): `AGENTS.md` and `CLAUDE.md` of the nearest directory, from
 * `directory` up to `top`, that has one; both when they differ. At most 32 KiB each; links are followed inside of `top`
 * only. Untrusted. Rejects for no file's sake; one that cannot be read is named.
 */
export async function readProjectGuidance(directory: string, top: string): Promise<ProjectGuidance> {
  const root = await realpath(top);
  for (const place of upwards(await realpath(directory), root)) {
    const found = await lookInto(place, root);
    if (found.files.length + found.refused.length > 0) return found;
  }
  return { files: [], refused: [] };
}

/** The directory and those above it, up to the root; only the directory when it lies elsewhere. */
function upwards(directory: string, root: string): string[] {
  const places = [directory];
  if (!isInside(directory, root)) return places;
  for (let place = directory; place !== root; ) {
    place = dirname(place);
    places.push(place);
  }
  return places;
}

const isInside = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

async function lookInto(place: string, root: string): Promise<ProjectGuidance> {
  const files: GuidanceView[] = [];
  const refused: { path: string; why: string }[] = [];
  for (const name of NAMES) {
    const path = relative(root, join(place, name));
    const look = await readInside(join(place, name), root);
    if (look.kind === 'refused') refused.push({ path, why: look.why });
    if (look.kind !== 'file' || look.text.trim() === '') continue;
    if (!files.some(({ text }) => text === look.text)) files.push({ path, text: look.text, cut: look.cut });
  }
  return { files, refused };
}

async function readInside(path: string, root: string): Promise<Look> {
  try {
    const real = await realpath(path);
    if (!isInside(real, root)) return { kind: 'refused', why: 'it is a link that leaves the workspace' };
    // No link any more, and a pipe must not hold us.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return await readHead(handle).finally(() => handle.close());
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? { kind: 'absent' } : { kind: 'refused', why: `it cannot be read (${code})` };
  }
}

async function readHead(handle: FileHandle): Promise<Look> {
  const status = await handle.stat();
  if (!status.isFile()) return { kind: 'refused', why: 'it is not a regular file' };
  const most = MAINLINE_LIMITS.guidanceBytes;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
  // A character that the end cuts in two becomes nothing, not a replacement.
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  return { kind: 'file', text, cut: status.size > most };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
