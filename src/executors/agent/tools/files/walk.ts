import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProtected, type Place } from '../../path-safety.ts';
import type { ToolContext } from '../../tool.ts';
import { addRules, type IgnoreRules, isIgnored } from './ignore-rules.ts';
import { openFolder, readBounded } from './open-file.ts';
import { exactText } from './text.ts';

const MAX_ENTRIES = 200_000;
const MAX_WALK_MS = 30_000;
const MAX_DEPTH = 64;
/** How long the walk works at a time before others have their turn. */
const TURN_MS = 10;
const MAX_IGNORE_BYTES = 256 * 1024;
/** Never entered from above, whatever the project ignores; a walk may start in one. */
const SKIPPED = new Set(['.git', '.hg', '.svn', '.jj', 'node_modules']);

export interface WalkedFile {
  readonly real: string;
  /** From the top of the workspace. */
  readonly shown: string;
  /** From where the walk started; what patterns are matched against. */
  readonly below: string;
  readonly isLink: boolean;
}

/** Why a walk ended early; undefined when it has seen everything. */
export interface WalkEnd {
  cut?: string;
}

export type WalkContext = Pick<ToolContext, 'workspacePath' | 'signal' | 'now'>;

interface Folder {
  readonly place: Place;
  readonly below: string;
  readonly depth: number;
  readonly rules: IgnoreRules | undefined;
}

/**
 * Every file below a folder that git would look at, by name, outer folders first. Links are named and not followed;
 * folders that cannot be read are passed over. Bounded in entries, depth and time; `end` says when a bound was met.
 */
export async function* walk(start: Place, context: WalkContext, end: WalkEnd): AsyncGenerator<WalkedFile> {
  const deadline = context.now() + MAX_WALK_MS;
  const waiting: Folder[] = [
    { place: start, below: '', depth: 0, rules: await rulesAbove(start, context.workspacePath) },
  ];
  let count = 0;
  let turnStart = performance.now();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    context.signal.throwIfAborted();
    const entries = await entriesOf(folder.place);
    const rules = await rulesIn(folder, entries);
    const inner: Folder[] = [];
    for (const entry of entries) {
      count += 1;
      if (count > MAX_ENTRIES) end.cut = `after ${MAX_ENTRIES} entries`;
      if (context.now() > deadline) end.cut = 'when its time was up';
      if (end.cut !== undefined) return;
      if (isLeftOut(entry, folder, rules)) continue;
      if (entry.isDirectory()) inner.push(child(folder, entry, rules));
      else if (entry.isFile() || entry.isSymbolicLink()) yield fileOf(folder, entry);
      if (performance.now() - turnStart > TURN_MS) turnStart = await nextTurn();
    }
    waiting.push(...inner.reverse());
  }
}

/** Lets the rest of the process go on; resolves to when it is our turn again. */
const nextTurn = () => new Promise<number>((resolve) => setImmediate(() => resolve(performance.now())));

async function entriesOf(place: Place): Promise<Dirent[]> {
  const folder = await openFolder(await seen(place));
  if (!folder.ok) return [];
  try {
    const entries = await readdir(folder.value.self, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  } finally {
    await folder.value.close();
  }
}

/** The place with what is there now; a folder that vanished has nothing. */
async function seen(place: Place): Promise<Place> {
  const { real, shown } = place;
  try {
    return { real, shown, stats: await lstat(real) };
  } catch {
    return { real, shown };
  }
}

function isLeftOut(entry: Dirent, folder: Folder, rules: IgnoreRules | undefined): boolean {
  if (isProtected(entry.name)) return true;
  const isFolder = entry.isDirectory();
  if (isFolder && (SKIPPED.has(entry.name) || folder.depth >= MAX_DEPTH)) return true;
  return isIgnored(under(folder.place.shown, entry.name) + (isFolder ? '/' : ''), rules);
}

const under = (shown: string, name: string) => (shown === '.' ? name : `${shown}/${name}`);

function child(folder: Folder, entry: Dirent, rules: IgnoreRules | undefined): Folder {
  const place = { real: join(folder.place.real, entry.name), shown: under(folder.place.shown, entry.name) };
  return { place, below: `${folder.below}${entry.name}/`, depth: folder.depth + 1, rules };
}

function fileOf(folder: Folder, entry: Dirent): WalkedFile {
  return {
    real: join(folder.place.real, entry.name),
    shown: under(folder.place.shown, entry.name),
    below: folder.below + entry.name,
    isLink: entry.isSymbolicLink(),
  };
}

async function rulesIn(folder: Folder, entries: readonly Dirent[]): Promise<IgnoreRules | undefined> {
  const has = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
  return has ? readRules(folder.place, folder.rules) : folder.rules;
}

async function readRules(folder: Place, outer: IgnoreRules | undefined): Promise<IgnoreRules | undefined> {
  const place = await seen({ real: join(folder.real, '.gitignore'), shown: under(folder.shown, '.gitignore') });
  const bytes = await readBounded(place, MAX_IGNORE_BYTES);
  const text = bytes.ok ? exactText(bytes.value) : undefined;
  const base = folder.shown === '.' ? '' : `${folder.shown}/`;
  return text === undefined ? outer : addRules(text, base, outer);
}

/** The rules of the folders above. A start that they ignore was asked for by name, so there they do not hold. */
async function rulesAbove(start: Place, workspacePath: string): Promise<IgnoreRules | undefined> {
  const above: Place[] = [];
  for (let place = start; place.shown !== '.'; ) {
    const shown = dirname(place.shown);
    place = { real: shown === '.' ? workspacePath : join(workspacePath, shown), shown };
    above.unshift(place);
  }
  let rules: IgnoreRules | undefined;
  for (const place of above) rules = await readRules(place, rules);
  return isIgnored(`${start.shown}/`, rules) && start.shown !== '.' ? undefined : rules;
}
