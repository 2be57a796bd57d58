import { join } from 'node:path';
import { builtInVps } from './built-in/index.ts';
import { parseVp } from './parse-vp.ts';
import { byId, VP_LIMITS, type Vp, type VpSource, type VpSourceKind } from './vp.ts';
import { listVpFiles, readVpFile } from './vp-files.ts';
import { type VpComplaint, type VpProblem, vpProblem } from './vp-problem.ts';

/** Where to look. All absolute; a place that is left out, or is not there, holds nothing. */
export interface VpPlaces {
  /** Holds `.workcenter/vps` and `.claude/agents`. */
  readonly projectDirectory?: string;
  /** The person's configuration of Work Center; holds `vps`. */
  readonly userDirectory?: string;
  /** The person's home; holds `.claude/agents`. */
  readonly userHome?: string;
}

/** Something a person should know about a file or folder. */
export interface VpFinding {
  /** `broken`: not used. `note`: used, but not all of it. */
  readonly kind: 'broken' | 'note';
  readonly source: VpSource;
  /** The VP it is, or was meant to be; absent for a folder. */
  readonly id?: string;
  readonly problems: readonly VpProblem[];
}

export interface VpRegistry {
  /** Those that can be assigned, by id; frozen. */
  readonly vps: readonly Vp[];
  /** Sound ones that a nearer file with their id replaces or, being broken, holds back. */
  readonly shadowed: readonly Vp[];
  readonly findings: readonly VpFinding[];
}

export const findVp = (registry: VpRegistry, id: string): Vp | undefined => registry.vps.find((vp) => vp.id === id);

interface Place {
  readonly kind: VpSourceKind;
  readonly folder: string;
  /** Links may not lead the folder out of here. */
  readonly within?: string;
}

/** The nearest first: it wins by id. */
function placesOf({ projectDirectory, userDirectory, userHome }: VpPlaces): readonly Place[] {
  const inProject = (kind: VpSourceKind, ...folder: readonly string[]): readonly Place[] =>
    projectDirectory ? [{ kind, folder: join(projectDirectory, ...folder), within: projectDirectory }] : [];
  const inside = (kind: VpSourceKind, directory: string | undefined, ...folder: readonly string[]): readonly Place[] =>
    directory ? [{ kind, folder: join(directory, ...folder) }] : [];
  return [
    ...inProject('project', '.workcenter', 'vps'),
    ...inside('user', userDirectory, 'vps'),
    ...inProject('claude-agents', '.claude', 'agents'),
    ...inside('claude-agents', userHome, '.claude', 'agents'),
  ];
}

/**
 * Reads all VPs: the project's, the person's, then `.claude/agents` of both, then the built-in ones. What is broken is a
 * finding and never an error. It also holds back the VPs behind it with the same id: what a person wrote to replace
 * them, perhaps with fewer tools, must not be undone by a typing mistake.
 */
export async function loadVps(places: VpPlaces): Promise<VpRegistry> {
  const entries: Entry[] = [];
  for (const place of placesOf(places)) entries.push(...(await readPlace(place)));
  entries.push(...builtInVps().map((vp) => ({ id: vp.id, vp })));
  return register(entries);
}

/** One file: the VP in it, unless it is broken, and what there is to say. */
interface Entry {
  readonly id?: string;
  readonly vp?: Vp;
  readonly finding?: VpFinding;
}

function register(entries: readonly Entry[]): VpRegistry {
  const taken = new Set<string>();
  const vps: Vp[] = [];
  const shadowed: Vp[] = [];
  const findings = entries.flatMap(({ finding }) => finding ?? []);
  for (const { id, vp } of entries) {
    if (id === undefined) continue;
    if (vp) (taken.has(id) ? shadowed : vps).push(vp);
    taken.add(id);
  }
  return Object.freeze({ vps: Object.freeze(vps.sort(byId)), shadowed, findings });
}

async function readPlace(place: Place): Promise<readonly Entry[]> {
  const listing = await listVpFiles(place.folder, place.within);
  if ('complaint' in listing) return [{ finding: broken(place, place.folder, [listing.complaint]) }];
  const entries: Entry[] = [];
  for (const name of listing.names.slice(0, VP_LIMITS.filesPerFolder)) entries.push(await readEntry(place, name));
  const surplus = listing.names.length - VP_LIMITS.filesPerFolder;
  if (surplus <= 0) return entries;
  const expected = `at most ${VP_LIMITS.filesPerFolder} files`;
  return [...entries, { finding: broken(place, place.folder, [{ field: '', expected, found: `${surplus} more` }]) }];
}

async function readEntry(place: Place, name: string): Promise<Entry> {
  const path = join(place.folder, name);
  const read = await readVpFile(place.folder, name);
  if ('complaint' in read) {
    const id = name.slice(0, -'.md'.length);
    return { id, finding: { ...broken(place, path, [read.complaint]), id } };
  }
  const source: VpSource = { kind: place.kind, path };
  const parsed = parseVp(read.text, source);
  const { id } = parsed.ok ? parsed.vp : parsed;
  if (!parsed.ok) return { id, finding: { kind: 'broken', source, id, problems: parsed.problems } };
  const { vp, ignoredTools } = parsed;
  return { id, vp, ...(ignoredTools.length === 0 ? {} : { finding: toolNote(vp, ignoredTools) }) };
}

const broken = (place: Place, path: string, complaints: readonly VpComplaint[]): VpFinding => ({
  kind: 'broken',
  source: { kind: place.kind, path },
  problems: complaints.map((complaint) => vpProblem(path, complaint)),
});

function toolNote({ id, source }: Vp, ignored: readonly string[]): VpFinding {
  const found = ignored.slice(0, 12).join(', ').slice(0, 200);
  const next = 'Nothing needs to be done if the VP can work without them.';
  const problem = vpProblem(source.path ?? id, { field: 'tools', expected: 'tools that exist here', found, next });
  return { kind: 'note', source, id, problems: [problem] };
}
