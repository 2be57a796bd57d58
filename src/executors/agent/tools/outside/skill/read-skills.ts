import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isBeneath } from '../../../../../workspace/sandbox/resolve-policy.ts';

export interface Skill {
  readonly name: string;
  /** At most 500 characters. */
  readonly description: string;
  /** Real path of its folder. */
  readonly folder: string;
  /** `SKILL.md` without its front matter. */
  readonly body: string;
}

export interface FoundSkills {
  /** Nearest first; of two with one name, the nearest. */
  readonly skills: readonly Skill[];
  /** A sentence for every folder that looks like a skill and is none. */
  readonly problems: readonly string[];
}

export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SKILLS = 200;
const MAX_DESCRIPTION_CHARS = 500;

/** All skills below the roots. What cannot be read is told, not thrown. */
export async function readSkills(roots: readonly string[]): Promise<FoundSkills> {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const root of roots) {
    for (const name of await foldersIn(root)) {
      if (skills.size >= MAX_SKILLS) break;
      const skill = await readSkill(root, name);
      if (typeof skill === 'string') problems.push(`${name}: ${skill}`);
      else if (skill !== null && !skills.has(skill.name)) skills.set(skill.name, skill);
    }
  }
  return { skills: [...skills.values()], problems };
}

async function foldersIn(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => !name.startsWith('.')).sort();
}

/** Null: no skill at all. A text: what is wrong with it. */
async function readSkill(root: string, name: string): Promise<Skill | string | null> {
  const path = join(root, name, 'SKILL.md');
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  const folder = await realpath(join(root, name));
  if (!isBeneath(folder, await realpath(root))) return 'the folder is a link that leads out of its root.';
  const text = await readInside(folder, 'SKILL.md');
  return 'problem' in text ? text.problem : parseSkill(text.text, folder, name);
}

function parseSkill(text: string, folder: string, folderName: string): Skill | string {
  const [, matter, body = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  if (matter === undefined) return 'SKILL.md has to begin with front matter between two lines of ---.';
  const fields = frontMatter(matter);
  if (typeof fields === 'string') return fields;
  const { name = folderName, description } = fields;
  if (typeof name !== 'string' || !/^[\w][\w .:-]{0,63}$/.test(name)) return 'name must be a short name.';
  if (typeof description !== 'string' || description.trim() === '') return 'description is missing.';
  const short = description.trim().replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION_CHARS);
  return { name, description: short, folder, body: body.trim() };
}

function frontMatter(text: string): { name?: unknown; description?: unknown } | string {
  try {
    const value: unknown = parse(text, { maxAliasCount: 10 });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : 'its front matter has no fields.';
  } catch {
    return 'its front matter is not YAML.';
  }
}

/** A text file below `folder`, which is real; links may not lead out of it. */
export async function readInside(
  folder: string,
  path: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const real = path.includes('\0') ? null : await realpath(join(folder, path)).catch(() => null);
  if (real === null) return { problem: `there is no file ${path}.` };
  if (!isBeneath(real, folder)) return { problem: `${path} leads out of the skill's folder.` };
  const facts = await stat(real);
  if (!facts.isFile()) return { problem: `${path} is not a file.` };
  if (facts.size > MAX_FILE_BYTES) return { problem: `${path} is larger than 1 MiB.` };
  const bytes = await readFile(real);
  return bytes.includes(0) ? { problem: `${path} is not a text.` } : { text: bytes.toString('utf8') };
}
